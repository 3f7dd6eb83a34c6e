import { keepTimestamps } from '#lib/api/patch/apply/timestamps.ts';
import { conflict, notFound } from '#lib/machinery/errors.ts';
import { clone, equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { inTurns } from '#lib/machinery/steps.ts';
import type { Outcome, StoredObject } from '#lib/storage/storage.ts';
import type { Attributes } from '../admission.ts';
import { awaitingConversions } from '../conversion-pending.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import { deletesDuringUpdate } from '../rest/delete.ts';
import { dedupOwnerReferences, ensureMetadata } from '../rest/meta.ts';
import { beforeUpdate, checkIsVersion, checkResourceVersion } from '../rest/update.ts';
import { allocation, release } from './allocating.ts';
import { attributesOf } from './attributes.ts';
import { createHub } from './create.ts';
import { asReadBack, decodeStored, encodeStored, keyOf } from './encode.ts';
import { fitSize } from './fit-size.ts';
import type { WriteResult } from './result.ts';
import {
  type AdmittedView,
  type Draft,
  guardAdmitted,
  guardWellFormed,
  mutatingAdmission,
  type Next,
  passStages,
  type Stage,
  validatingAdmission,
  type Written,
} from './stages.ts';

/** Returns the new object in the request's version with managed fields recorded. Called again if another write came first. */
export type Transform = (current: JsonObject | undefined) => JsonObject | Promise<JsonObject>;

/** A request to update an object. */
export interface UpdateRequest {
  readonly name: string;
  readonly transform: Transform;
  /** Creates the object if it does not exist (server-side apply). */
  readonly forceCreate: boolean;
  /** For a replacement: a uid in the new object is a precondition. The uid of a patch is validated instead. */
  readonly checksUid?: boolean;
  /** The view that admission sees instead of the object. */
  readonly view?: AdmittedView;
}

/** The end of upstream's warning about a patched object's duplicate owners. */
const BEHIND_ADMISSION = ' after mutating admission happens';

/**
 * Upstream's Update: reads, transforms, admits, prepares, validates, and commits only if the object is unchanged since the read. Otherwise
 * starts over. Throws 404, 409, 422 and the errors of admission.
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

/** An update that passes through its stages. */
interface UpdateDraft extends Draft {
  readonly old: JsonObject;
  /** The stored state that was read. The commit succeeds only if it is still current. */
  readonly stored: StoredObject;
}

/** The stages of an update after its preconditions, in upstream's order. */
const STAGES: readonly Stage<UpdateDraft>[] = [
  mutatingAdmission, // first: later stages see the object with the plugins' changes
  guardAdmitted, // permissions that depend on the content, before any validation error
  prepareAndValidate, // only a valid object continues
  guardWellFormed, // permissions that only a valid object reveals
  allocation, // allocates nothing for a rejected object
  validatingAdmission, // checks the object as it will be stored, and reserves quota
  keepTimes, // a write that changes only timestamps of managed fields is a no-op
  fitSize, // runs the remaining stages again if the object is too large to commit
  answerDryRun, // writes nothing
  skipUnchanged, // skips a no-op write, so that the version does not change
  commit,
];

/** A request to update before it becomes a draft. */
interface Revision {
  readonly definition: ResourceDefinition;
  readonly context: OperationContext;
  readonly request: UpdateRequest;
  /** The current state in the hub version. Undefined if the object does not exist. */
  readonly old: JsonObject | undefined;
  /** The new object in the request's version. Empty before `transform`. */
  readonly object: JsonObject;
}

/** A revision of a stored object. */
interface Replacement extends Revision {
  readonly old: JsonObject;
  readonly stored: StoredObject;
}

/** The stages that turn a request into the draft of an update. */
const REPLACING: readonly Stage<Replacement>[] = [
  transform, // may wait for conversions
  replace, // checks the request's preconditions, then runs the stages of an update
];

/** The stages that turn a request into the draft of a create, if it may create. */
const CREATING: readonly Stage<Revision>[] = [transform, createInstead];

async function updateOnce(
  definition: ResourceDefinition,
  context: OperationContext,
  request: UpdateRequest,
): Promise<WriteResult | undefined> {
  const { resource, strategy, storage } = definition;
  const stored = await storage.get(keyOf(definition, context, request.name), { kind: 'fresh' });
  if (stored === undefined) {
    if (strategy.allowCreateOnUpdate !== true && !request.forceCreate) throw notFound(resource, request.name);
    return passStages(CREATING, { definition, context, request, old: undefined, object: {} });
  }
  const old = decodeStored(definition, stored);
  return passStages(REPLACING, { definition, context, request, old, object: {}, stored });
}

/** Builds the new object after all conversions that it needs. */
async function transform<R extends Revision>(revision: R, next: Next<R>): Written {
  const { definition, request, old } = revision;
  const { scheme } = definition;
  const object = await awaitingConversions(() =>
    request.transform(old === undefined ? undefined : scheme.fromHub(clone(old))),
  );
  return next({ ...revision, object });
}

/** Checks the request's preconditions against the state to replace. Throws 409, 422. */
async function replace({ definition, context, request, object, old, stored }: Replacement): Written {
  const { name, view, checksUid = false } = request;
  const hub = definition.scheme.toHub(object);
  if (checksUid) checkUid(definition, context, hub, old);
  checkResourceVersion(definition, hub, old);
  dedupOwnerReferences(ensureMetadata(hub), context.warn, checksUid ? '' : BEHIND_ADMISSION);
  const attributes = updateAttributes(definition, context, request, { hub, old });
  return passStages(STAGES, { definition, context, requestName: name, hub, old, stored, attributes, view });
}

/** Undefined if another request created the object in the meantime. */
async function createInstead({ definition, context, request, object }: Revision): Written {
  if (request.checksUid !== true) refuseUid(definition, request.name, object);
  checkIsVersion(resourceVersionOf(object));
  return createHub(definition, creating(context), definition.scheme.toHub(object), request.name);
}

/** Admission sees create options (upstream: updateToCreateOptions, patchToCreateOptions). */
const creating = (context: OperationContext): OperationContext =>
  context.options === undefined ? context : { ...context, options: { ...context.options, kind: 'CreateOptions' } };

/** Upstream's BeforeUpdate. */
async function prepareAndValidate(draft: UpdateDraft, next: Next<UpdateDraft>): Written {
  const { definition, context, hub, old } = draft;
  await inTurns(beforeUpdate(definition, hub, old, context), context.request.turn);
  return next(draft);
}

/** Keeps the timestamps of managed fields if they are the only difference. */
function keepTimes(draft: UpdateDraft, next: Next<UpdateDraft>): Written {
  return next({ ...draft, hub: keepTimestamps(draft.old, draft.hub) });
}

async function answerDryRun(draft: UpdateDraft, next: Next<UpdateDraft>): Written {
  const { definition, context, hub } = draft;
  return context.dryRun ? { result: { object: await asReadBack(definition, hub) }, created: false } : next(draft);
}

async function skipUnchanged(draft: UpdateDraft, next: Next<UpdateDraft>): Written {
  const { definition, hub, old, stored } = draft;
  const isSame = equal(hub, old) && stored.stale !== true && definition.scheme.isOutdated?.(stored, hub) !== true;
  return isSame ? { result: { stored }, created: false } : next(draft);
}

/** Writes the object if its base state is still current. Otherwise returns undefined. */
async function commit({ definition, context, hub, old, stored }: UpdateDraft): Written {
  const encoded = encodeStored(definition, hub);
  const ends = deletesDuringUpdate(definition, hub, old);
  const done = await definition.storage.mutate(stored.key, (found): Outcome<Committed> => {
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

type Committed = 'stale' | 'done';

function updateAttributes(
  definition: ResourceDefinition,
  context: OperationContext,
  { name, view }: UpdateRequest,
  { hub, old }: { readonly hub: JsonObject; readonly old: JsonObject },
): Attributes {
  return attributesOf(context, {
    operation: 'UPDATE',
    scheme: (view ?? definition).scheme,
    resource: definition.resource,
    name,
    object: view?.show(hub) ?? hub,
    oldObject: view?.show(old) ?? old,
  });
}

/** The storage path of a resource in upstream's error messages. */
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

/**
 * Checks the uid in the new object, which is a precondition. A dry run does not reach the store, so its error message lacks the store's
 * prefix.
 */
function checkUid(
  { resource, storedAs, custom }: ResourceDefinition,
  { dryRun }: OperationContext,
  hub: JsonObject,
  old: JsonObject,
): void {
  const [given, actual, name] = [uidOf(hub), uidOf(old), nameOf(old)];
  if (given === '' || given === actual) return;
  const parts = [dryRun ? '' : 'registry', ...placeOf(custom, storedAs), namespaceOf(old), name];
  const path = parts.filter((part) => part !== '').join('/');
  throw conflict(
    resource,
    name,
    `StorageError: invalid object, Code: 4, Key: /${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${given}, UID in object meta: ${actual}`,
  );
}

/** Throws if an apply that would create names a uid. */
function refuseUid({ resource }: ResourceDefinition, name: string, object: JsonObject): void {
  const uid = uidOf(object);
  if (uid === '') return;
  throw conflict(
    resource,
    name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  );
}
