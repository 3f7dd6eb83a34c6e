import { clone, equal, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { aggregate, errorText, type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { additionalSchema } from './json-schema-props.ts';
import { coerce, validateEmbedded } from './object-meta.ts';
import { prune } from './pruning.ts';
import { SchemaValidator } from './schema-validator.ts';
import { asResource, META_FIELDS, type Structural } from './structural.ts';
import { SurroundingObject } from './surrounding-object.ts';
import { traitsOf } from './traits.ts';

interface Scope {
  readonly path: FieldPath;
  /** The nearest enclosing schema of a whole resource. */
  readonly root: Structural;
  readonly around: SurroundingObject;
  readonly insideMeta: boolean;
  readonly requirePruned: boolean;
  readonly rules: DefaultRules;
}

/** Evaluates the CEL rules of a schema on its default; `resource` is true for the schema of a whole resource. */
export type DefaultRules = (s: Structural, value: Json, path: FieldPath, resource: boolean) => FieldError[];

/** Upstream's `ValidateDefaults` for a resource's schema. Default values must satisfy it and have no unknown fields. */
export function validateDefaults(
  path: FieldPath,
  schema: Structural,
  requirePruned: boolean,
  rules: DefaultRules = () => [],
): FieldError[] {
  const root = asResource(schema);
  return visit(root, { path, root, around: SurroundingObject.root(), insideMeta: false, requirePruned, rules });
}

function visit(s: Structural, outer: Scope): FieldError[] {
  if (!traitsOf(s).defaults) return [];
  const resource = s.embeddedResource === true;
  const scope = resource ? { ...outer, root: s, around: SurroundingObject.root(), insideMeta: false } : outer;
  const errors = s.default === undefined ? [] : defaultErrors(s, s.default, scope);
  if (s.items !== undefined) {
    for (const error of visit(s.items, { ...scope, path: scope.path.child('items'), around: scope.around.index() }))
      errors.push(error);
  }
  for (const [name, property] of s.properties ?? []) {
    const path = scope.path.child('properties').key(name);
    const insideMeta = scope.insideMeta || (resource && META_FIELDS.has(name));
    for (const error of visit(property, { ...scope, path, around: scope.around.child(name), insideMeta }))
      errors.push(error);
  }
  return errors;
}

function defaultErrors(s: Structural, value: Json, scope: Scope): FieldError[] {
  const path = scope.path.child('default');
  const validator = new SchemaValidator(s, 'default');
  const errors = scope.insideMeta
    ? metaErrors(s, value, path, scope)
    : resourceErrors(s, clone(value), { path, validator, requirePruned: scope.requirePruned });
  const isPruned = ({ detail }: FieldError): boolean => detail === 'must not have unknown fields';
  return errors.every(isPruned) ? [...errors, ...scope.rules(s, value, path, s === scope.root)] : errors;
}

function metaErrors(s: Structural, value: Json, path: FieldPath, scope: Scope): FieldError[] {
  const object = withTypeMeta(scope.around.build(clone(value)));
  const problem = metaProblem(object, scope.root);
  if (problem !== undefined) return [invalid(path, value, `must result in valid metadata: ${problem}`)];
  return new SchemaValidator(s, 'default').validate(value, { base: path.toString() });
}

function metaProblem(object: JsonObject, root: Structural): string | undefined {
  const error = coerce(object, root, true);
  if (error !== undefined) return errorText(error);
  const errors = validateEmbedded(object, root, true);
  return errors.length === 0 ? undefined : aggregate(errors);
}

function withTypeMeta(object: JsonObject): JsonObject {
  if (!Object.hasOwn(object, 'kind')) setField(object, 'kind', 'Validation');
  if (!Object.hasOwn(object, 'apiVersion')) setField(object, 'apiVersion', 'validation/v1');
  return object;
}

interface ResourceScope {
  readonly path: FieldPath;
  readonly validator: SchemaValidator;
  readonly requirePruned: boolean;
}

function resourceErrors(s: Structural, value: Json, { path, validator, requirePruned }: ResourceScope): FieldError[] {
  const resource = s.embeddedResource === true;
  const field = path.toString();
  const errors: FieldError[] = [];
  if (requirePruned) {
    const pruned = clone(value);
    prune(pruned, s, resource);
    if (!equal(pruned, value)) errors.push(invalid(path, value, 'must not have unknown fields'));
  }
  const wrong = coerce(value, s, resource, { field });
  if (wrong !== undefined) return [...errors, wrong];
  const embedded = validateEmbedded(value, s, resource, field);
  return [...errors, ...(embedded.length > 0 ? embedded : validator.validate(value, { base: field }))];
}

/**
 * Upstream's `PruneDefaults`: removes unknown fields from the default values in the schema itself. Returns whether it removed anything. Old
 * schemas can have such defaults, because upstream once accepted them.
 */
export function pruneDefaults(schema: Structural): boolean {
  return pruneNode(schema, schema, SurroundingObject.root());
}

function pruneNode(s: Structural, root: Structural, around: SurroundingObject): boolean {
  if (!traitsOf(s).defaults) return false;
  let changed = s.default !== undefined && pruneDefault(s, s.default, root, around);
  const additional = additionalSchema(s);
  if (additional !== undefined) changed = pruneNode(additional, root, around.child('*')) || changed;
  if (s.items !== undefined) changed = pruneNode(s.items, root, around.index()) || changed;
  for (const [name, property] of s.properties ?? []) changed = pruneNode(property, root, around.child(name)) || changed;
  return changed;
}

function pruneDefault(s: Structural, value: Json, root: Structural, around: SurroundingObject): boolean {
  const object = around.build(clone(value));
  coerce(object, root, true, { dropInvalid: true });
  prune(object, root, true);
  const pruned = around.focus(object);
  if (pruned !== undefined && equal(pruned, value)) return false;
  if (pruned === undefined || pruned === null) delete s.default;
  else s.default = pruned;
  return true;
}
