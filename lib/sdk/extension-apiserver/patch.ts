import { badRequest, conflict, StatusError } from '#lib/machinery/errors.ts';
import { isObject, type Json } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { APPLY, checkAppliedType } from '#lib/server/endpoints/applied-type.ts';
import { forbiddenError } from '#lib/server/endpoints/filters/authorization.ts';
import { type WriteOptions, writeOptions } from '#lib/server/endpoints/options.ts';
import { ensureMetadata, ensureNamespace } from '#lib/server/registry/rest/meta.ts';
import { checkName, decodeValue, ofPath } from './decode-object.ts';
import { acceptedPatchType, patching } from './patch-body.ts';
import { groupResource, method, type ResourceScope, shownObject } from './scope.ts';
import { added, completed, found, managedFields, replaced } from './writes.ts';

/** The maximum number of attempts if other clients write concurrently, for a patch without a resource version. */
const ATTEMPTS = 5;

/** A write that is prepared but not yet stored. */
type Write = () => Promise<ApiResponse>;

/** Patches the object that `get` returns, and stores the result with `update`. A server-side apply creates a missing object. */
export async function patch(scope: ResourceScope): Promise<ApiResponse> {
  const type = acceptedPatchType(scope.request.headers['content-type']);
  const options = writeOptions(scope.request.query, 'PatchOptions', type);
  const body = decodeValue(await scope.request.body());
  const made = type === APPLY ? applied(scope, options, body) : patched(scope, options, patching(type, body));
  for (let attempt = 1; ; attempt++) {
    const write = await made();
    try {
      return await write();
    } catch (error) {
      if (!isOutrun(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Whether another client wrote or created the object concurrently. */
const isOutrun = (error: unknown): boolean =>
  error instanceof StatusError && (error.reason === 'Conflict' || error.reason === 'AlreadyExists');

const patched = (scope: ResourceScope, options: WriteOptions, change: ReturnType<typeof patching>) => {
  return async (): Promise<Write> => {
    const current = await found(scope);
    const changed = change(shownObject(scope, current));
    if (!isObject(changed)) throw badRequest('the patched document is not an object');
    const { checkSize, recorded, withReadMetadata } = await managedFields();
    checkSize(changed);
    const next = ofPath(scope, withReadMetadata(changed));
    checkName(next, scope.info.name);
    return () => replaced(scope, options, { current, next, manage: recorded });
  };
};

function applied(scope: ResourceScope, options: WriteOptions, config: Json): () => Promise<Write> {
  if (!isObject(config)) throw badRequest('error decoding YAML: the applied configuration is not an object');
  const { api, resource, info } = scope;
  return async () => {
    const current = await method(scope, 'get')(info.name, scope.context);
    checkAppliedType({ ...api.declaration, kind: resource.declaration.kind }, config);
    const { checkSize, merged } = await managedFields();
    const next = merged(scope, options, current && shownObject(scope, current), config);
    checkSize(next);
    checkName(next, info.name);
    ensureNamespace(ensureMetadata(next), info.namespace);
    if (current !== undefined) return () => replaced(scope, options, { current, next });
    const made = completed(scope, next);
    refuseUid(scope, uidOf(next));
    if (scope.mayCreate !== true) throw forbiddenError(scope.user, { ...info, verb: 'create' }, '');
    return () => added(scope, options, made);
  };
}

/** Rejects an apply with a uid for a missing object, because an apply cannot create an object with a given uid. */
function refuseUid(scope: ResourceScope, uid: string): void {
  if (uid === '') return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(groupResource(scope), scope.info.name, why);
}
