import { type Json, type JsonObject, ownField, setField, stringAt } from '#lib/machinery/json-value.ts';
import { type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { isDNS1035Label } from '#lib/machinery/validation/names.ts';
import { validateObjectMeta } from '#lib/machinery/validation/object-meta.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import { childField, itemField, keyField } from './fields.ts';
import { additionalSchema } from './json-schema-props.ts';
import { readObjectMeta } from './object-meta-fields.ts';
import { asResource, type Structural } from './structural.ts';
import { traitsOf } from './traits.ts';

/** How embedded metadata is coerced. */
export interface CoerceOptions {
  /** Drops fields of wrong types instead of failing. */
  readonly dropInvalid?: boolean;
  /** A list to which the paths of unknown metadata fields are added. */
  readonly unknown?: string[] | undefined;
  readonly field?: string;
}

/**
 * Upstream's `Coerce`: converts apiVersion, kind and metadata of embedded resources (and of the root with `isResourceRoot`) in place to the
 * form that Go's types would have. Returns the first error.
 */
export function coerce(
  value: Json,
  schema: Structural | undefined,
  isResourceRoot: boolean,
  options: CoerceOptions = {},
): FieldError | undefined {
  const root = isResourceRoot ? asResource(schema) : schema;
  return coerceNode(value, root, options.field, options);
}

function coerceNode(
  value: Json,
  schema: Structural | undefined,
  field: string | undefined,
  options: CoerceOptions,
): FieldError | undefined {
  if (schema === undefined || value === null || typeof value !== 'object' || !traitsOf(schema).embedded)
    return undefined;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      const error = coerceNode(item, schema.items, itemField(field, i), options);
      if (error !== undefined) return error;
    }
    return undefined;
  }
  const error = schema.embeddedResource === true ? coerceMeta(value, field, options) : undefined;
  return error ?? coerceFields(value, schema, field, options);
}

function coerceFields(
  value: JsonObject,
  schema: Structural,
  field: string | undefined,
  options: CoerceOptions,
): FieldError | undefined {
  const additional = additionalSchema(schema);
  for (const name of Object.keys(value)) {
    const property = schema.properties?.get(name);
    const at = property === undefined ? keyField(field, name) : childField(field, name);
    const error = coerceNode(value[name] as Json, property ?? additional, at, options);
    if (error !== undefined) return error;
  }
  return undefined;
}

function coerceMeta(value: JsonObject, field: string | undefined, options: CoerceOptions): FieldError | undefined {
  for (const name of ['apiVersion', 'kind']) {
    const item = ownField(value, name);
    if (item === undefined || typeof item === 'string') continue;
    if (options.dropInvalid !== true) return invalid(childField(field, name), item, 'must be a string');
    delete value[name];
  }
  const metadata = ownField(value, 'metadata');
  if (metadata === undefined) return undefined;
  const unknown = options.unknown === undefined ? undefined : [];
  const meta = readObjectMeta(metadata, { dropMalformed: options.dropInvalid === true, unknown });
  for (const name of unknown ?? []) options.unknown?.push(`${childField(field, 'metadata')}.${name}`);
  if (typeof meta === 'object') setField(value, 'metadata', meta);
  else if (options.dropInvalid !== true) return invalid(childField(field, 'metadata'), metadata, meta);
  return undefined;
}

/** Upstream's objectmeta `Validate`: checks that embedded resources (and the root with `isResourceRoot`) are well-formed. */
export function validateEmbedded(
  value: Json,
  schema: Structural | undefined,
  isResourceRoot: boolean,
  field?: string,
): FieldError[] {
  const errors: FieldError[] = [];
  validateNode(value, isResourceRoot ? asResource(schema) : schema, field, errors);
  return errors;
}

function validateNode(
  value: Json,
  schema: Structural | undefined,
  field: string | undefined,
  errors: FieldError[],
): void {
  if (schema === undefined || value === null || typeof value !== 'object' || !traitsOf(schema).embedded) return;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) validateNode(item, schema.items, itemField(field, i), errors);
    return;
  }
  if (schema.embeddedResource === true) errors.push(...resourceErrors(value, field));
  const additional = additionalSchema(schema);
  for (const name of Object.keys(value)) {
    const property = schema.properties?.get(name);
    const at = property === undefined ? keyField(field, name) : childField(field, name);
    validateNode(value[name] as Json, property ?? additional, at, errors);
  }
}

function resourceErrors(value: JsonObject, field: string | undefined): FieldError[] {
  const at = (name: string): string => childField(field, name);
  const errors = ['apiVersion', 'kind'].filter((name) => !Object.hasOwn(value, name)).map((name) => required(at(name)));
  const apiVersion = ownField(value, 'apiVersion');
  const kind = ownField(value, 'kind');
  const metadata = ownField(value, 'metadata');
  if (apiVersion !== undefined) errors.push(...textErrors(apiVersion, at('apiVersion'), apiVersionProblem));
  if (kind !== undefined) errors.push(...textErrors(kind, at('kind'), kindProblem));
  return metadata === undefined ? errors : [...errors, ...metadataErrors(metadata, at('metadata'))];
}

function textErrors(value: Json, field: string, problem: (text: string) => string | undefined): FieldError[] {
  if (typeof value !== 'string') return [invalid(field, value, 'must be a string')];
  const text = value === '' ? 'must not be empty' : problem(value);
  return text === undefined ? [] : [invalid(field, value, text)];
}

const apiVersionProblem = (text: string): string | undefined =>
  text.split('/').length > 2 ? `unexpected GroupVersion string: ${text}` : undefined;

function kindProblem(text: string): string | undefined {
  const messages = isDNS1035Label(text.toLowerCase());
  return messages.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${messages.join(',')}`;
}

function metadataErrors(metadata: Json, field: string): FieldError[] {
  const meta = readObjectMeta(metadata);
  if (typeof meta === 'string') return [invalid(field, metadata, meta)];
  const named = stringAt(meta, 'name') === undefined ? { ...meta, name: 'fakename' } : meta;
  const namespaced = stringAt(meta, 'namespace') !== undefined;
  return validateObjectMeta(named, { namespaced, validateName: pathSegmentName, path: FieldPath.of(field) });
}
