import type { JSONSchemaProps } from '#lib/api/schema/json-schema-props.ts';
import { META_FIELDS } from '#lib/api/schema/structural.ts';
import { type FieldError, type FieldPath, forbidden, invalid, notSupported } from '#lib/machinery/validation/field.ts';
import { listTypeErrors, topologyErrors } from './list-types.ts';
import { OPENAPI_TYPES } from './openapi-types.ts';
import type { ValidationOptions } from './options.ts';
import { type RuleScope, ruleErrors, scopeInside } from './rule-scope.ts';
import { validateRules } from './validation-rules.ts';

/** The context of a nested schema. */
interface Scope {
  readonly path: FieldPath;
  readonly options: ValidationOptions;
  readonly root: boolean;
  /** Whether the schema is inside apiVersion, kind or metadata of the object or of an embedded object. */
  readonly insideMeta: boolean;
  /** Why defaults are forbidden here. Undefined if they are allowed. */
  readonly noDefaults: string | undefined;
  /** Undefined if rules are not compiled: the whole schema is not structural, or this schema is inside a junctor. */
  readonly rules: RuleScope | undefined;
  /** The outermost surrounding schema whose values cannot be correlated in an update. */
  readonly uncorrelatable: FieldPath | undefined;
  /** Collects errors of rules, which follow all other errors. */
  readonly found: FieldError[];
}

/** Upstream's `ValidateCustomResourceDefinitionOpenAPISchema`. `rules` is absent for a schema that is not structural. */
export function validateOpenApiSchema(
  s: JSONSchemaProps,
  path: FieldPath,
  options: ValidationOptions,
  rules?: RuleScope,
): FieldError[] {
  const found: FieldError[] = [];
  const around = { root: true, insideMeta: false, noDefaults: undefined, uncorrelatable: undefined };
  return [...visit(s, { path, options, rules, found, ...around }), ...found];
}

function visit(s: JSONSchemaProps, scope: Scope): FieldError[] {
  const { path, options } = scope;
  const errors = nodeErrors(s, scope);
  if (s.uniqueItems === true) {
    const text = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbidden(path.child('uniqueItems'), text));
  }
  errors.push(...additionalErrors(s, scope), ...propertyErrors(s, scope), ...junctorErrors(s, scope));
  errors.push(...itemErrors(s, scope));
  for (const [name, item] of s.dependencies ?? []) {
    if (!Array.isArray(item)) {
      errors.push(...visit(item as JSONSchemaProps, inside(scope, path.child('dependencies').key(name))));
    }
  }
  if (s.preserveUnknownFields === false) {
    errors.push(invalid(path.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
  }
  errors.push(...topologyErrors(s, path, options.requireAtomicSetType));
  if (options.requireMapListKeysMapSetValidation) errors.push(...listTypeErrors(s, path));
  errors.push(...validateRules(s, path));
  if (errors.length === 0 && scope.rules !== undefined && s.validations !== undefined) {
    scope.found.push(...ruleErrors(s, path, scope.rules, scope.uncorrelatable));
  }
  return errors;
}

const inside = (scope: Scope, path: FieldPath): Scope => ({ ...scope, path, root: false, rules: undefined });
/** Returns the scope of schemas that describe values, in which rules apply. */
const within = (s: JSONSchemaProps, scope: Scope, path: FieldPath): Scope => ({
  ...inside(scope, path),
  rules: scopeInside(s, scope.rules),
});

function additionalErrors(s: JSONSchemaProps, scope: Scope): FieldError[] {
  const { additionalProperties } = s;
  const path = scope.path.child('additionalProperties');
  const errors: FieldError[] = [];
  if (additionalProperties !== undefined && additionalProperties !== true && s.properties !== undefined) {
    errors.push(forbidden(path, 'additionalProperties and properties are mutual exclusive'));
  }
  if (typeof additionalProperties !== 'object') return errors;
  const why = 'inside additionalProperties applying to object metadata';
  const noDefaults = scope.insideMeta ? why : scope.noDefaults;
  return [...errors, ...visit(additionalProperties, { ...within(s, scope, path), noDefaults })];
}

function propertyErrors(s: JSONSchemaProps, scope: Scope): FieldError[] {
  const errors: FieldError[] = [];
  const resource = scope.root || s.embeddedResource === true;
  const isKnown = s.mapType === undefined || s.mapType === 'granular' || s.mapType === 'atomic';
  const uncorrelatable = isKnown ? scope.uncorrelatable : (scope.uncorrelatable ?? scope.path);
  for (const [name, property] of s.properties ?? []) {
    const meta = resource && META_FIELDS.has(name);
    const noDefaults = meta && scope.root ? `in top-level ${name}` : scope.noDefaults;
    const path = scope.path.child('properties').key(name);
    const insideMeta = scope.insideMeta || meta;
    errors.push(...visit(property, { ...within(s, scope, path), insideMeta, noDefaults, uncorrelatable }));
  }
  return errors;
}

function junctorErrors(s: JSONSchemaProps, scope: Scope): FieldError[] {
  const { path } = scope;
  const errors = s.not === undefined ? [] : visit(s.not, inside(scope, path.child('not')));
  for (const name of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [i, item] of (s[name] ?? []).entries())
      errors.push(...visit(item, inside(scope, path.child(name).index(i))));
  }
  for (const [name, item] of s.definitions ?? []) {
    errors.push(...visit(item, inside(scope, path.child('definitions').key(name))));
  }
  return errors;
}

function itemErrors(s: JSONSchemaProps, scope: Scope): FieldError[] {
  const path = scope.path.child('items');
  const uncorrelatable = s.listType === 'map' ? scope.uncorrelatable : (scope.uncorrelatable ?? scope.path);
  const errors = s.items === undefined ? [] : visit(s.items, { ...within(s, scope, path), uncorrelatable });
  for (const [i, item] of (s.itemSchemas ?? []).entries()) {
    errors.push(...visit(item, { ...inside(scope, path.index(i)), uncorrelatable }));
  }
  return errors;
}

/** Fields of upstream's schema type that custom resources may not use. */
const UNSUPPORTED: ReadonlyArray<readonly [keyof JSONSchemaProps, string]> = [
  ['id', 'id'],
  ['additionalItems', 'additionalItems'],
  ['patternProperties', 'patternProperties'],
  ['definitions', 'definitions'],
  ['dependencies', 'dependencies'],
  ['ref', '$ref'],
];

function nodeErrors(s: JSONSchemaProps, { path, options, noDefaults, insideMeta }: Scope): FieldError[] {
  const { type } = s;
  const errors: FieldError[] = [];
  if (options.requireValidPropertyType && type !== undefined && !OPENAPI_TYPES.includes(type)) {
    errors.push(notSupported(path.child('type'), type, OPENAPI_TYPES));
  }
  if (s.default !== undefined && noDefaults !== undefined) {
    errors.push(forbidden(path.child('default'), `must not be set ${noDefaults}`));
  }
  for (const [name, shown] of UNSUPPORTED) {
    if (s[name] !== undefined) errors.push(forbidden(path.child(shown), `${shown} is not supported`));
  }
  if (type === 'null') {
    errors.push(forbidden(path.child('type'), 'type cannot be set to null, use nullable as an alternative'));
  }
  if (s.itemSchemas !== undefined && s.itemSchemas.length > 0) {
    errors.push(forbidden(path.child('items'), 'items must be a schema object and not an array'));
  }
  if (insideMeta && s.embeddedResource === true) {
    errors.push(forbidden(path.child('x-kubernetes-embedded-resource'), 'must not be used inside of resource meta'));
  }
  return errors;
}
