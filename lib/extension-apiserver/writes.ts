import type { ApiResponse } from '#lib/endpoints/api.ts';
import { patchBodyType } from './patch-body.ts';
import { badRequest, conflict, notFound, StatusError } from '#lib/machinery/errors.ts';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { generateNameOf, metadataOf, nameOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { generateName } from '#lib/machinery/names-generator.ts';
import { newUid } from '#lib/machinery/random.ts';
import { instantOf, timeText } from '#lib/machinery/time.ts';
import { checkName, checkPathSegment, decodeObject, decodeValue, validated } from './decode-object.ts';
import { respondJson, respondObject } from './respond.ts';
import { authored, groupResource, listOf, method, shownObject, type ResourceScope } from './scope.ts';
import { selection } from './selection.ts';

/** How often a patch that names no version is made anew when somebody else writes meanwhile. */
const ATTEMPTS = 5;

const isDryRun = ({ request: { query } }: ResourceScope): boolean => query.getAll('dryRun').includes('All');

/** Creates the object of the body. Its name may be generated; it gets a uid and a time where it has none. */
export async function create(scope: ResourceScope): Promise<ApiResponse> {
  const storeObject = method(scope, 'create');
  const object = await decodeObject(scope);
  const metadata = metadataOf(object);
  const base = generateNameOf(object);
  const name = nameOf(object) || (base === '' ? '' : generateName(base));
  if (name === '') throw badRequest('name or generateName is required');
  checkPathSegment(scope, name);
  const { uid = newUid(), creationTimestamp = timeText(instantOf(new Date(scope.clock.now()))) } = metadata;
  const made = validated(scope, { ...object, metadata: { ...metadata, name, uid, creationTimestamp } });
  const stored = isDryRun(scope) ? authored(made) : await storeObject(authored(made), scope.context);
  return respondObject(scope, shownObject(scope, stored), 201);
}

/** The object of the path. Throws 404. */
export async function found(scope: ResourceScope): Promise<KubernetesObject> {
  const object = await method(scope, 'get')(scope.info.name, scope.context);
  if (object === undefined) throw notFound(groupResource(scope), scope.info.name);
  return object;
}

/** Replaces the object. */
export async function update(scope: ResourceScope): Promise<ApiResponse> {
  const next = await decodeObject(scope);
  checkName(next, scope.info.name);
  return respondObject(scope, await replaced(scope, await found(scope), next));
}

const CHANGED = 'the object has been modified; please apply your changes to the latest version and try again';

async function replaced(scope: ResourceScope, current: KubernetesObject, next: JsonObject): Promise<JsonObject> {
  const write = method(scope, 'update');
  const before = shownObject(scope, current);
  const version = resourceVersionOf(next);
  if (version !== '' && version !== resourceVersionOf(before))
    throw conflict(groupResource(scope), scope.info.name, CHANGED);
  const { uid = null, creationTimestamp = null, resourceVersion = null } = metadataOf(before);
  const kept = Object.entries({ uid, creationTimestamp, resourceVersion }).filter(([, value]) => value !== null);
  const made = validated(scope, { ...next, metadata: { ...metadataOf(next), ...Object.fromEntries(kept) } });
  if (isDryRun(scope)) return made;
  return shownObject(scope, await write(authored(made), { ...scope.context, current }));
}

/** Patches the object: by JSON patch or merge patch, on what `get` returns, by `update`. */
export async function patch(scope: ResourceScope): Promise<ApiResponse> {
  const applied = patchBodyType(scope.request.headers['content-type'], decodeValue(await scope.request.body()));
  for (let attempt = 1; ; attempt++) {
    const current = await found(scope);
    const next = applied(shownObject(scope, current));
    if (!isObject(next)) throw badRequest('the patched document is not an object');
    checkName(next, scope.info.name);
    try {
      return respondObject(scope, await replaced(scope, current, next));
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== 'Conflict' || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Deletes the object of the path, with the preconditions of the body. */
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
  const selects = selection(scope.request.query);
  const { items, resourceVersion } = await method(scope, 'list')(scope.context);
  const gone: JsonObject[] = [];
  for (const current of items) {
    const object = shownObject(scope, current);
    if (!selects(object)) continue;
    const namespace = current.metadata.namespace ?? '';
    if (!isDryRun(scope)) await drop(nameOf(object), { ...scope.context, namespace, current });
    gone.push(object);
  }
  return respondJson(scope, listOf(scope, gone, resourceVersion));
}
