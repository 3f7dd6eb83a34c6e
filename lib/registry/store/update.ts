import type { Attributes } from '../admission.ts';
import { conflict, notFound } from '#lib/machinery/errors.ts';
import { clone, equal, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { inTurns } from '#lib/machinery/steps.ts';
import { keepTimestamps } from '#lib/patch/apply/timestamps.ts';
import type { Outcome, StoredObject } from '#lib/storage/storage.ts';
import { awaitingConversions } from '../conversion-pending.ts';
import type { ObjectScheme, ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import { deletesDuringUpdate } from '../rest/delete.ts';
import { dedupOwnerReferences, ensureMetadata } from '../rest/meta.ts';
import { beforeUpdate, checkIsVersion, checkResourceVersion } from '../rest/update.ts';
import { allocating, release } from './allocating.ts';
import { attributesOf } from './attributes.ts';
import { createHub } from './create.ts';
import { asReadBack, decodeStored, encodeStored, keyOf } from './encode.ts';
import { fitting } from './fitting.ts';
import type { WriteResult } from './result.ts';

/** Gives the new object in the request's version, managed fields recorded; runs again when another write came first. */
export type Transform = (current: JsonObject | undefined) => JsonObject | Promise<JsonObject>;

export interface UpdateRequest {
  readonly name: string;
  readonly transform: Transform;
  /** Creates where nothing is (server-side apply). */
  readonly forceCreate: boolean;
  /** Of a replacement: a uid in the new object is a precondition. Patches' uids are validated instead. */
  readonly checksUid?: boolean;
  /** What admission sees where that is not the object itself. */
  readonly view?: AdmittedView;
}

/** Where upstream first looks at a patched object's owners. */
const BEHIND_ADMISSION = ' after mutating admission happens';

/** Stands for an object in admission: its Scale. */
export interface AdmittedView {
  readonly scheme: ObjectScheme;
  show(hub: JsonObject): JsonObject;
  /** The hub object with what admission has changed. */
  put(hub: JsonObject, admitted: JsonObject): JsonObject;
}

/**
 * Upstream's Update: reads, transforms, admits, prepares, validates, and commits only over the state that it read; otherwise
 * it begins again. Throws 404, 409, 422 and what admission refuses.
 */
export async function update(
  definition: ResourceDefinition,
  context: OperationContext,
  request: UpdateRequest,
): Promise<WriteResult> {
  for (;;) {
    const done = await updateOnce(definition, context, request);
    if (done !== undefined) return done;
  }
}

async function updateOnce(
  definition: ResourceDefinition,
  context: OperationContext,
  request: UpdateRequest,
): Promise<WriteResult | undefined> {
  const { scheme, resource, strategy, storage } = definition;
  const key = keyOf(definition, context, request.name);
  const stored = await storage.get(key, { kind: 'fresh' });
  if (stored === undefined) {
    if (strategy.allowCreateOnUpdate !== true && !request.forceCreate) throw notFound(resource, request.name);
    return createInstead(definition, context, request);
  }
  const current = decodeStored(definition, stored);
  await context.turn?.();
  const transformed = await awaitingConversions(() => request.transform(scheme.fromHub(clone(current))));
  await context.turn?.();
  let hub = scheme.toHub(transformed);
  if (request.checksUid === true) checkUid(definition, context, { hub, current });
  checkResourceVersion(definition, hub, current);
  dedupOwnerReferences(ensureMetadata(hub), context.warn, request.checksUid === true ? '' : BEHIND_ADMISSION);
  const attributes = updateAttributes(definition, context, request, { hub, current });
  await context.admission.admit(attributes);
  if (request.view !== undefined) hub = request.view.put(hub, attributes.object ?? {});
  const guarded = { ...attributes, object: hub, old: current, requestName: request.name };
  await definition.guard?.admitted?.(guarded);
  await context.turn?.();
  await inTurns(beforeUpdate(definition, hub, current, context), context.turn);
  if (context.subresource === '') await definition.guard?.wellFormed?.(guarded);
  await context.turn?.();
  return allocating(definition, context, { object: hub, old: current }, () =>
    context.admission.validated(attributes, async () => {
      const kept = keepTimestamps(current, hub);
      await context.turn?.();
      return fitting(context, kept, (object) => commit(definition, context, { key, stored, current, hub: object }));
    }),
  );
}

/** Undefined where another request created the object meanwhile. */
async function createInstead(
  definition: ResourceDefinition,
  context: OperationContext,
  request: UpdateRequest,
): Promise<WriteResult | undefined> {
  const object = await awaitingConversions(() => request.transform(undefined));
  await context.turn?.();
  if (request.checksUid !== true) refuseUid(definition, request.name, object);
  checkIsVersion(stringAt(objectAt(object, 'metadata'), 'resourceVersion') ?? '');
  return createHub(definition, context, definition.scheme.toHub(object), request.name);
}

function updateAttributes(
  definition: ResourceDefinition,
  context: OperationContext,
  { name, view }: UpdateRequest,
  { hub, current }: { readonly hub: JsonObject; readonly current: JsonObject },
): Attributes {
  return attributesOf(context, {
    operation: 'UPDATE',
    scheme: (view ?? definition).scheme,
    resource: definition.resource,
    name,
    object: view?.show(hub) ?? hub,
    oldObject: view?.show(current) ?? current,
  });
}

/** Where upstream keeps a resource, as its texts name it. */
function placeOf(custom: boolean, { group, resource }: ResourceDefinition['storedAs']): string[] {
  return custom || NAMED_BY_GROUP.has(group) ? [group, resource] : [OLD_PLACES[resource] ?? resource];
}
const NAMED_BY_GROUP: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);
const OLD_PLACES: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  ingresses: 'ingress',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  services: 'services/specs',
};

/** A uid in the new object is a precondition. A dry run does not reach the store that knows its prefix. */
function checkUid(
  { resource, storedAs, custom }: ResourceDefinition,
  { dryRun }: OperationContext,
  { hub, current }: Pick<Candidate, 'hub' | 'current'>,
): void {
  const given = stringAt(objectAt(hub, 'metadata'), 'uid') ?? '';
  const metadata = objectAt(current, 'metadata');
  const actual = stringAt(metadata, 'uid') ?? '';
  if (given === '' || given === actual) return;
  const name = stringAt(metadata, 'name') ?? '';
  const namespace = stringAt(metadata, 'namespace') ?? '';
  const parts = [dryRun ? '' : 'registry', ...placeOf(custom, storedAs), namespace, name];
  const path = parts.filter((part) => part !== '').join('/');
  throw conflict(
    resource,
    name,
    `StorageError: invalid object, Code: 4, Key: /${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${given}, UID in object meta: ${actual}`,
  );
}

/** An apply that names a uid cannot create. */
function refuseUid({ resource }: ResourceDefinition, name: string, object: JsonObject): void {
  const uid = stringAt(objectAt(object, 'metadata'), 'uid') ?? '';
  if (uid === '') return;
  throw conflict(
    resource,
    name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  );
}

interface Candidate {
  readonly key: string;
  readonly stored: StoredObject;
  readonly current: JsonObject;
  readonly hub: JsonObject;
}

type Committed = 'stale' | 'done';

/** Writes the candidate over the state that it was made from; undefined where that state is gone. */
async function commit(
  definition: ResourceDefinition,
  context: OperationContext,
  { key, stored, current, hub }: Candidate,
): Promise<WriteResult | undefined> {
  const { storage, scheme } = definition;
  if (context.dryRun) return { result: { object: await asReadBack(definition, hub) }, created: false };
  if (equal(hub, current) && stored.stale !== true && scheme.isOutdated?.(stored, hub) !== true)
    return { result: { stored }, created: false };
  await context.turn?.();
  const encoded = encodeStored(definition, hub);
  const ends = deletesDuringUpdate(definition, hub, current);
  const done = await storage.mutate(key, (found): Outcome<Committed> => {
    if (found?.version !== stored.version) return { action: 'keep', result: 'stale' };
    return ends ? { action: 'delete', result: 'done' } : { action: 'put', ...encoded, result: 'done' };
  });
  if (done.result === 'stale') return undefined;
  if (ends) {
    await release(definition, context, hub);
    return { result: { object: await asReadBack(definition, hub) }, created: false };
  }
  return { result: { stored: done.stored as StoredObject }, created: false };
}
