import { notFound } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type { Version } from '#lib/storage/sequence.ts';
import type { MutationResult, Outcome, StoredObject } from '#lib/storage/storage.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import { type DeleteDecision, type DeleteOptions, decideDelete, deletesDuringUpdate } from '../rest/delete.ts';
import { release } from './allocating.ts';
import { attributesOf } from './attributes.ts';
import { asReadBack, decodeStored, encodeStored, keyOf } from './encode.ts';
import type { Result } from './result.ts';
import { type Next, passStages, type Stage, type Written } from './stages.ts';

/** The result of a deletion. */
export interface DeleteResult {
  readonly result: Result;
  /** False if finalizers or a grace period delay the deletion. */
  readonly deleted: boolean;
  readonly uid: string;
}

/** Deletes an object or starts its deletion. Throws 404, and 409 if a precondition fails. */
export async function deleteObject(
  definition: ResourceDefinition,
  context: OperationContext,
  name: string,
  options: DeleteOptions,
): Promise<DeleteResult> {
  for (;;) {
    const done = await deleteOnce(definition, context, name, options);
    if (done !== undefined) return done;
  }
}

/** A request to delete, and the current object. */
interface Deletion {
  readonly definition: ResourceDefinition;
  readonly context: OperationContext;
  readonly name: string;
  readonly options: DeleteOptions;
  readonly stored: StoredObject;
  /** The current object in the hub version. */
  readonly current: JsonObject;
}

/** A deletion and its effect on the object. */
interface Decided extends Deletion {
  readonly decision: DeleteDecision;
}

type DeleteStage<D extends Deletion> = Stage<D, DeleteResult>;
type DeleteNext<D extends Deletion> = Next<D, DeleteResult>;
type Deleted = Written<DeleteResult>;

/** The stages before the decision. */
const DECIDING: readonly DeleteStage<Deletion>[] = [decide];

/** The stages after the decision, in upstream's order. */
const STAGES: readonly DeleteStage<Decided>[] = [
  admission, // may reject the request even if the object is already being deleted
  answerPending, // the object is already being deleted
  answerDryRun, // writes nothing
  commit,
];

/** Undefined if another write came first. */
async function deleteOnce(
  definition: ResourceDefinition,
  context: OperationContext,
  name: string,
  options: DeleteOptions,
): Deleted {
  const stored = await definition.storage.get(keyOf(definition, context, name), { kind: 'fresh' });
  if (stored === undefined) throw notFound(definition.resource, name);
  const current = decodeStored(definition, stored);
  return passStages(DECIDING, { definition, context, name, options, stored, current });
}

/** Upstream's BeforeDelete. */
function decide(deletion: Deletion): Deleted {
  const { definition, context, current, options } = deletion;
  const decision = decideDelete(definition, current, options, context.now);
  return passStages(STAGES, { ...deletion, decision });
}

async function admission(deletion: Decided, next: DeleteNext<Decided>): Deleted {
  const { definition, context, current } = deletion;
  const { resource, scheme } = definition;
  const name = context.isCollection === true ? '' : deletion.name;
  const attributes = attributesOf(context, { operation: 'DELETE', scheme, resource, name, oldObject: current });
  await context.admission.admit(attributes);
  await context.admission.validate(attributes);
  return next(deletion);
}

async function answerPending(deletion: Decided, next: DeleteNext<Decided>): Deleted {
  const { decision, stored } = deletion;
  return decision.action === 'pending' ? answer(deletion, { stored }) : next(deletion);
}

async function answerDryRun(deletion: Decided, next: DeleteNext<Decided>): Deleted {
  const { definition, context, current, decision } = deletion;
  if (!context.dryRun) return next(deletion);
  return answer(deletion, { object: await asReadBack(definition, nextState(decision) ?? current) });
}

/** Deletes the object or writes its next state, if the object is unchanged since the decision. Returns undefined if it changed. */
async function commit(deletion: Decided): Deleted {
  const { definition, context, stored, current, decision } = deletion;
  const deletes = decision.action === 'delete';
  const next = nextState(decision);
  const write: Write = { definition, key: stored.key, version: stored.version };
  const done = await (next === undefined ? remove(write) : deletes ? removeMarked(write, next) : put(write, next));
  if (done.result === 'stale') return undefined;
  if (deletes) await release(definition, context, current);
  return answer(deletion, { stored: done.stored as StoredObject });
}

/**
 * The state to write, for an object that stays or that is marked before its deletion. Undefined if the object is deleted without a mark.
 */
const nextState = (decision: DeleteDecision): JsonObject | undefined =>
  decision.action === 'delete' ? decision.marked : decision.action === 'update' ? decision.object : undefined;

const answer = ({ current, decision }: Decided, result: Result): DeleteResult => ({
  result,
  deleted: decision.action === 'delete',
  uid: uidOf(current),
});

interface Write {
  readonly definition: ResourceDefinition;
  readonly key: string;
  /** The version that the decision was based on. */
  readonly version: Version;
}

type Done = MutationResult<'stale' | 'done'>;
const STALE = { action: 'keep', result: 'stale' } as const;

const put = ({ definition, key, version }: Write, object: JsonObject): Promise<Done> => {
  const encoded = encodeStored(definition, object);
  return definition.storage.mutate(key, (found) =>
    found?.version === version ? { action: 'put', ...encoded, result: 'done' } : STALE,
  );
};

const remove = ({ definition, key, version }: Write): Promise<Done> =>
  definition.storage.mutate(key, (found) =>
    found?.version === version ? { action: 'delete', result: 'done' } : STALE,
  );

/**
 * Marks the object and then deletes it, so that watches see both events, as in upstream. Both writes share one commit if the log entry has
 * room. Otherwise, another write in between prevents the deletion if it keeps the object.
 */
async function removeMarked({ definition, key, version }: Write, object: JsonObject): Promise<Done> {
  const encoded = encodeStored(definition, object);
  let isMarked = false;
  const marking = definition.storage.mutate(key, (found): Outcome<'stale' | 'done'> => {
    isMarked = found?.version === version;
    return isMarked ? { action: 'put', ...encoded, result: 'done' } : STALE;
  });
  const removal = definition.storage.mutate(key, (found): Outcome<'stale' | 'done'> => {
    const isOurs = isMarked && found !== undefined && found.version !== version;
    return isOurs && isOver(definition, decodeStored(definition, found)) ? { action: 'delete', result: 'done' } : STALE;
  });
  const [first, last] = await Promise.all([marking, removal]);
  return first.result === 'stale' ? first : last;
}
const isOver = (definition: ResourceDefinition, object: JsonObject): boolean =>
  deletesDuringUpdate(definition, object, object);
