import { applyPatch } from '#lib/api/patch/apply/apply-patch.ts';
import { withoutManagedFields } from '#lib/api/patch/apply/managed-fields.ts';
import { recordUpdate } from '#lib/api/patch/apply/record-update.ts';
import type { TypedSchema } from '#lib/api/patch/apply/schema.ts';
import { keepTimestamps } from '#lib/api/patch/apply/timestamps.ts';
import { parseProps } from '#lib/api/schema/json-schema-props.ts';
import { readObjectMeta } from '#lib/api/schema/object-meta-fields.ts';
import { typedResource } from '#lib/api/schema/typed.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { bounded } from '#lib/machinery/json.ts';
import { clone, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { MAX_VALUES } from '#lib/server/endpoints/body-bound.ts';
import { managerOf } from '#lib/server/endpoints/field-manager.ts';
import type { WriteOptions } from '#lib/server/endpoints/options.ts';
import type { ServedResource } from './define-aggregated-api.ts';
import type { ResourceScope } from './scope.ts';

const schemas = new WeakMap<ServedResource, TypedSchema>();

/** The schema for structured merge. Objects keep unknown fields, so unknown fields have owners too. */
function schemaOf(resource: ServedResource): TypedSchema {
  const schema = schemas.get(resource) ?? typedResource(parseProps(resource.declaration.schema), true);
  schemas.set(resource, schema);
  return schema;
}

const writer = (scope: ResourceScope, { fieldManager }: WriteOptions) => ({
  manager: managerOf(fieldManager, scope.request.headers['user-agent']),
  schema: schemaOf(scope.resource),
  apiVersion: apiVersion(scope.api.declaration),
  now: new Date(scope.clock.now()),
});

/** The object with updated field owners after a write that is not an apply. `live` is absent for a create. */
export function recorded(
  scope: ResourceScope,
  options: WriteOptions,
  live: JsonObject | undefined,
  updated: JsonObject,
): JsonObject {
  const isCreate = live === undefined;
  const next = recordUpdate({ ...writer(scope, options), live: live ?? {}, updated, isCreate });
  return isCreate ? next : keepTimestamps(live, next);
}

/** `live` merged with the applied configuration, with updated field owners. Throws 409 for conflicts, and 400. */
export const merged = (
  scope: ResourceScope,
  options: WriteOptions,
  live: JsonObject | undefined,
  applied: JsonObject,
): JsonObject =>
  applyPatch({
    ...writer(scope, options),
    live: live ?? {},
    applied: clone(applied),
    force: options.force === true,
    isCreate: live === undefined,
  });

/** The object with its metadata as Go decodes it, without unknown fields. Throws 400 if a field has the wrong type. */
export function withReadMetadata(object: JsonObject): JsonObject {
  const metadata = readObjectMeta(ownField(object, 'metadata') ?? null);
  if (typeof metadata === 'string') throw badRequest(metadata);
  return { ...object, metadata };
}

/** Throws 413 if an object, without its managed fields, has more values than a body may have. */
export const checkSize = (object: JsonObject): void => void bounded(withoutManagedFields(object), MAX_VALUES);
