import { parseProps } from '#lib/api/schema/json-schema-props.ts';
import { SchemaValidator } from '#lib/api/schema/schema-validator.ts';
import { badRequest, invalid, StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { metadataOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { type FieldError, invalid as invalidField } from '#lib/machinery/validation/field.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import { toJsonObject } from '#lib/sdk/webhook-sdk/envelope.ts';
import { MAX_VALUES } from '#lib/server/endpoints/body-bound.ts';
import { unknownMediaType } from '#lib/server/endpoints/negotiate.ts';
import type { ServedResource } from './define-aggregated-api.ts';
import { authored, type ResourceScope } from './scope.ts';

const JSON_TYPE = 'application/json';

/** Parses the JSON of a body. Throws 400 or 415. */
export function decodeValue(bytes: Uint8Array): Json {
  try {
    return decodeJson(bytes, { maxValues: MAX_VALUES }).value;
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    throw badRequest(error.message);
  }
}

/** Parses the object in a request's body, which must have the kind and namespace of the path. Throws 400 or 415. */
export async function decodeObject(scope: ResourceScope): Promise<JsonObject> {
  const { request } = scope;
  const type = request.headers['content-type']?.split(';')[0]?.trim() ?? JSON_TYPE;
  if (type !== JSON_TYPE) throw unknownMediaType([JSON_TYPE]);
  const value = decodeValue(await request.body());
  if (!isObject(value)) throw badRequest('the body is no object');
  return ofPath(scope, value);
}

/** The object with the kind and namespace of the path filled in. Throws 400 if it has different ones. */
export function ofPath(scope: ResourceScope, value: JsonObject): JsonObject {
  const object = withKind(scope, value);
  const { namespace } = scope.info;
  const given = namespaceOf(object);
  if (given !== '' && given !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  return namespace === '' ? object : { ...object, metadata: { ...metadataOf(object), namespace } };
}

function withKind(
  { api: { declaration: of }, resource: { declaration } }: ResourceScope,
  value: JsonObject,
): JsonObject {
  const { kind = declaration.kind, apiVersion: version = apiVersion(of) } = value;
  if (kind !== declaration.kind || version !== apiVersion(of))
    throw badRequest(
      `${String(version)}, Kind=${String(kind)} in the body does not match ${apiVersion(of)}, Kind=${declaration.kind} of the path`,
    );
  return { ...value, kind, apiVersion: version };
}

const validators = new WeakMap<ServedResource, SchemaValidator>();

/** The object as parsed by its schema type. Throws 422 with all errors, or the error that the author throws. */
export function validated({ api, resource }: ResourceScope, object: JsonObject): JsonObject {
  const {
    type,
    declaration: { schema },
  } = resource;
  const kind = { group: api.declaration.group, kind: resource.declaration.kind };
  const refuse = (errors: readonly FieldError[]) => invalid(kind, nameOf(object), errors);
  let read = object;
  if (type === undefined) {
    const validator = validators.get(resource) ?? new SchemaValidator(parseProps(schema));
    validators.set(resource, validator);
    const errors = validator.validate(object);
    if (errors.length > 0) throw refuse(errors);
  } else {
    const parsed = type.safeParse(object);
    if (!parsed.success)
      throw refuse(
        parsed.error.issues.map(({ path, message }) => invalidField(path.map(String).join('.'), '', message)),
      );
    // A schema type without metadata drops the metadata.
    const { kind: name = null, apiVersion: version = null, metadata = {} } = object;
    read = { ...toJsonObject(Object(parsed.data)), kind: name, apiVersion: version, metadata };
  }
  resource.validate?.(authored(read));
  return read;
}

/** Throws 400 if the object's name differs from the name in the path. */
export function checkName(object: JsonObject, name: string): void {
  const given = nameOf(object);
  if (given === name) return;
  throw badRequest(
    given === ''
      ? 'name must be provided'
      : `the name of the object (${given}) does not match the name on the URL (${name})`,
  );
}

/** Throws 422 for a name that is not a valid path segment. */
export function checkPathSegment({ api, resource }: ResourceScope, name: string): void {
  if (pathSegmentName(name, false).length === 0 && name.length <= 253) return;
  const kind = { group: api.declaration.group, kind: resource.declaration.kind };
  throw invalid(kind, name, [invalidField('metadata.name', name, `must be a path segment, not ${quote(name)}`)]);
}
