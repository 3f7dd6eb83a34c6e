import { updateSteps } from '#lib/api/patch/apply/record-update.ts';
import { resetFields } from '#lib/api/patch/apply/reset-fields.ts';
import type { Convert } from '#lib/api/patch/apply/versions.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { inTurns, type Steps } from '#lib/machinery/steps.ts';
import { awaitingConversions } from '#lib/server/registry/conversion-pending.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { OperationContext } from '#lib/server/registry/rest/context.ts';
import { ensureMetadata, ensureNamespace, wipeSystemFields } from '#lib/server/registry/rest/meta.ts';
import { create } from '#lib/server/registry/store/create.ts';
import type { ApiResponse } from '../api.ts';
import { bodySteps } from '../decode-body.ts';
import { writeOptions } from '../options.ts';
import { negotiatedResponse, respondWritten } from '../respond.ts';
import { operation, type Scope } from '../scope.ts';

/** POST to a collection. */
export async function createHandler(scope: Scope): Promise<ApiResponse> {
  const { context, definition } = scope;
  const want = negotiatedResponse(scope);
  const options = writeOptions(context.request.query, 'CreateOptions');
  const contentType = context.request.headers['content-type'];
  const bytes = await context.request.body();
  const object = await inTurns(
    bodySteps({ bytes, contentType }, definition.scheme, options.fieldValidation, context.warn),
    context.request.turn,
  );
  context.audit?.requestObject(object);
  ensureNamespace(ensureMetadata(object), definition.namespaced ? context.info.namespace : '');
  wipeSystemFields(object);
  const op = operation(scope, options);
  const managed = await awaitingConversions(() => inTurns(manage(definition, op, undefined, object), op.request.turn));
  return respondWritten(scope, want, await create(definition, op, managed));
}

/** Records field ownership after a write other than an apply. */
export function* manage(
  definition: ResourceDefinition,
  op: OperationContext,
  live: JsonObject | undefined,
  updated: JsonObject,
): Steps<JsonObject> {
  const { scheme } = definition;
  yield;
  const managed = yield* updateSteps({
    live: live ?? {},
    updated,
    manager: op.fieldManager,
    operation: 'Update',
    schema: scheme.typed,
    apiVersion: apiVersion(scheme.kind),
    subresource: op.subresource,
    now: op.now,
    isCreate: live === undefined,
    convert: conversions(definition, op),
    checksType: definition.custom && op.subresource !== '',
    ...resets(definition, op),
  });
  yield;
  return managed;
}

/** Returns the fields that this endpoint resets. The write records no manager for them. */
export function resets({ resource, hasStatus, custom }: ResourceDefinition, { subresource }: OperationContext) {
  const reset = resetFields({ resource, subresource, hasStatus, custom });
  return reset === undefined ? {} : { resetFields: reset };
}

/**
 * Returns conversions to the kind's other versions. For a custom resource, the fields that the main endpoint resets are known only in its
 * own version.
 */
export function conversions({ scheme, custom }: ResourceDefinition, { subresource }: OperationContext): Convert {
  if (!custom || subresource !== '') return scheme.convert;
  return (from, version) => {
    const { ignored: _, ...unfiltered } = from;
    return scheme.convert(unfiltered, version);
  };
}

/** Throws 400 if the body names no object, or a different object than the path. */
export function checkName(object: JsonObject, name: string): void {
  const given = stringAt(objectAt(object, 'metadata'), 'name') ?? '';
  if (given === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}
