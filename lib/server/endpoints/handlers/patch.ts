import { conflict, notFound } from '#lib/machinery/errors.ts';
import { bounded } from '#lib/machinery/json.ts';
import { clone, isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import { inTurns, type Steps } from '#lib/machinery/steps.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { OperationContext } from '#lib/server/registry/rest/context.ts';
import { ensureMetadata, ensureNamespace } from '#lib/server/registry/rest/meta.ts';
import { checkIsVersion } from '#lib/server/registry/rest/update.ts';
import { type Transform, update } from '#lib/server/registry/store/update.ts';
import type { ApiResponse } from '../api.ts';
import { APPLY } from '../applied-type.ts';
import { boundWritten, MAX_VALUES } from '../body-bound.ts';
import { type WriteOptions, writeOptions } from '../options.ts';
import { negotiatedResponse, respondWritten } from '../respond.ts';
import { operation, type Scope } from '../scope.ts';
import { applyTransform } from './apply.ts';
import { checkName, manage } from './create.ts';
import { decodePatch, type Patch, patchTypeOf } from './patch-types.ts';
import { decodePatched, type Patched } from './patched-object.ts';

/** PATCH of an object or its status, in all four types. */
export async function patchHandler(scope: Scope): Promise<ApiResponse> {
  const { context, definition } = scope;
  const { info, request } = context;
  const patchType = patchTypeOf(request.headers['content-type'], definition);
  const want = negotiatedResponse(scope);
  const options = writeOptions(request.query, 'PatchOptions', patchType);
  const bytes = await request.body();
  context.audit?.requestPatch(bytes);
  const isApply = patchType === APPLY;
  const op = { ...operation(scope, options), applies: isApply };
  const transform = isApply
    ? applyTransform(scope, op, options, bytes)
    : patchTransform(scope, op, { options, patchType, bytes });
  const forceCreate = isApply && info.subresource === '';
  return respondWritten(scope, want, await update(definition, op, { name: info.name, transform, forceCreate }));
}

interface SentPatch {
  readonly options: WriteOptions;
  readonly patchType: string;
  readonly bytes: Uint8Array;
}

/** Returns the transform of the three patch types that change the live object. */
function patchTransform(scope: Scope, op: OperationContext, { options, patchType, bytes }: SentPatch): Transform {
  const { definition, context } = scope;
  let patch: Patch | undefined;
  function* merge(live: JsonObject): Steps<JsonObject> {
    yield;
    patch ??= decodePatch(patchType, bytes, definition.scheme);
    yield;
    const merged = yield* patch.apply(clone(live));
    yield;
    const object = patchedObject(scope, { document: merged, live, patch }, options);
    refuseOtherVersion(definition, object, live);
    return yield* manage(definition, op, live, object);
  }
  return async (live) => {
    if (live === undefined) throw notFound(definition.resource, context.info.name);
    return inTurns(merge(live), op.request.turn);
  };
}

/** Decodes the patched document as the object in the path. Throws 400, 413, 422. */
function patchedObject(scope: Scope, patched: Patched, options: WriteOptions): JsonObject {
  const { definition, context } = scope;
  const { document, live } = patched;
  if (isObject(document)) boundWritten(document, live);
  else bounded(document, MAX_VALUES);
  const object = decodePatched(scope, patched, options);
  checkName(object, context.info.name);
  ensureNamespace(ensureMetadata(object), definition.namespaced ? context.info.namespace : '');
  return object;
}

/** A version in the patch is a precondition. The patched document otherwise contains the live object's version. */
function refuseOtherVersion({ resource }: ResourceDefinition, object: JsonObject, live: JsonObject): void {
  const given = resourceVersionOf(object);
  checkIsVersion(given);
  if (given !== '' && given !== resourceVersionOf(live)) {
    throw conflict(
      resource,
      nameOf(object),
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }
}
