import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { badRequest, conflict, notFound } from '#lib/machinery/errors.ts';
import { equal, isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { generateNameOf, metadataOf, nameOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { generateName } from '#lib/machinery/names-generator.ts';
import { newUid } from '#lib/machinery/random.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { listOptions, type WriteOptions, writeOptions } from '#lib/server/endpoints/options.ts';
import { SYSTEM_FIELDS, wipeSystemFields } from '#lib/server/registry/rest/meta.ts';
import { checkName, checkPathSegment, decodeObject, decodeValue, validated } from './decode-object.ts';
import type { recorded } from './managed-fields.ts';
import { listMeta, pageOf } from './pages.ts';
import { respondJson, respondObject } from './respond.ts';
import { authored, groupResource, listOf, method, type ResourceScope, shownObject } from './scope.ts';
import { selection } from './selection.ts';

const isDryRun = ({ request: { query } }: ResourceScope): boolean => query.getAll('dryRun').includes('All');

/** The module for managed fields, which the first write loads. */
export const managedFields = () => import('./managed-fields.ts');

/** Creates the object in the body, with a uid and a creation time. Its name may be generated. */
export async function create(scope: ResourceScope): Promise<ApiResponse> {
  method(scope, 'create');
  const options = writeOptions(scope.request.query, 'CreateOptions');
  const { recorded, withReadMetadata } = await managedFields();
  const object = withReadMetadata(await decodeObject(scope));
  const base = generateNameOf(object);
  const name = nameOf(object) || (base === '' ? '' : generateName(base));
  if (name === '') throw badRequest('name or generateName is required');
  const made = completed(scope, { ...object, metadata: { ...metadataOf(object), name } });
  return added(scope, options, recorded(scope, options, undefined, made));
}

/** Completes a new object with a uid and the server's time, and parses it with its type. Throws 422. */
export function completed(scope: ResourceScope, object: JsonObject): JsonObject {
  checkPathSegment(scope, nameOf(object));
  const creationTimestamp = timeOf(scope.clock.now());
  return validated(scope, withSystemFields(object, { uid: newUid(), creationTimestamp }));
}

/** The object with only the server's values of these fields. Drops the client's values. */
function withSystemFields(object: JsonObject, fields: JsonObject): JsonObject {
  const copy = { ...object, metadata: { ...metadataOf(object) } };
  wipeSystemFields(copy);
  return { ...copy, metadata: { ...copy.metadata, ...fields } };
}

/** Stores a new object. */
export async function added(scope: ResourceScope, { dryRun }: WriteOptions, made: JsonObject): Promise<ApiResponse> {
  const storeObject = method(scope, 'create');
  const stored = dryRun ? authored(made) : await storeObject(authored(made), scope.context);
  return respondObject(scope, shownObject(scope, stored), 201);
}

/** Reads the object in the path. Throws 404. */
export async function found(scope: ResourceScope): Promise<KubernetesObject> {
  const object = await method(scope, 'get')(scope.info.name, scope.context);
  if (object === undefined) throw notFound(groupResource(scope), scope.info.name);
  return object;
}

/** Replaces the object. */
export async function update(scope: ResourceScope): Promise<ApiResponse> {
  const options = writeOptions(scope.request.query, 'UpdateOptions');
  const { recorded, withReadMetadata } = await managedFields();
  const next = withReadMetadata(await decodeObject(scope));
  checkName(next, scope.info.name);
  return replaced(scope, options, { current: await found(scope), next, manage: recorded });
}

const CHANGED = 'the object has been modified; please apply your changes to the latest version and try again';

/** The next state of an object. */
interface Replacement {
  readonly current: KubernetesObject;
  readonly next: JsonObject;
  /** Records the field owners. Absent if `next` already contains them. */
  readonly manage?: typeof recorded;
}

const KEPT: readonly string[] = [...SYSTEM_FIELDS, 'resourceVersion'];

/** Stores the next state of an object, unless it is unchanged. Throws 409 and 422. */
export async function replaced(
  scope: ResourceScope,
  options: WriteOptions,
  { current, next, manage }: Replacement,
): Promise<ApiResponse> {
  const write = method(scope, 'update');
  const before = shownObject(scope, current);
  const version = resourceVersionOf(next);
  if (version !== '' && version !== resourceVersionOf(before))
    throw conflict(groupResource(scope), scope.info.name, CHANGED);
  if (uidOf(next) !== '') checkPreconditions(scope, before, { uid: uidOf(next) });
  const kept = Object.entries(metadataOf(before)).filter(([field, value]) => KEPT.includes(field) && value !== null);
  const judged = validated(scope, withSystemFields(next, Object.fromEntries(kept)));
  const made = manage?.(scope, options, before, judged) ?? judged;
  if (options.dryRun || equal(before, made)) return respondObject(scope, made);
  return respondObject(scope, shownObject(scope, await write(authored(made), { ...scope.context, current })));
}

/** Deletes the object in the path, with the preconditions in the body. */
export async function remove(scope: ResourceScope): Promise<ApiResponse> {
  const drop = method(scope, 'delete');
  const bytes = await scope.request.body();
  const options = bytes.length === 0 ? {} : decodeValue(bytes);
  const current = await found(scope);
  const object = shownObject(scope, current);
  const { preconditions, dryRun } = isObject(options) ? options : {};
  if (isObject(preconditions)) checkPreconditions(scope, object, preconditions);
  const isTried = isDryRun(scope) || (Array.isArray(dryRun) && dryRun.includes('All'));
  if (!isTried) await drop(scope.info.name, { ...scope.context, current });
  const { group } = scope.api.declaration;
  const details = { name: nameOf(object), group, kind: scope.resource.declaration.name, uid: uidOf(object) };
  return respondJson(scope, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
}

function checkPreconditions(scope: ResourceScope, object: JsonObject, wanted: JsonObject): void {
  const { uid, resourceVersion } = wanted;
  const refuse = (name: string, given: unknown, is: string): void => {
    if (typeof given !== 'string' || given === is) return;
    const why = `Precondition failed: ${name} in precondition: ${given}, ${name} in object meta: ${is}`;
    throw conflict(groupResource(scope), scope.info.name, why);
  };
  refuse('UID', uid, uidOf(object));
  refuse('ResourceVersion', resourceVersion, resourceVersionOf(object));
}

/** Deletes every object that the selectors match. */
export async function removeCollection(scope: ResourceScope): Promise<ApiResponse> {
  const drop = method(scope, 'delete');
  const options = listOptions(scope.request.query);
  const selects = selection(scope);
  const page = await pageOf(scope, options);
  const gone: JsonObject[] = [];
  for (const current of page.items) {
    const object = shownObject(scope, current);
    if (!selects(object)) continue;
    const namespace = current.metadata.namespace ?? '';
    if (!isDryRun(scope)) await drop(nameOf(object), { ...scope.context, namespace, current });
    gone.push(object);
  }
  return respondJson(scope, listOf(scope, gone, listMeta(page, options)));
}
