import { notFound } from '#lib/machinery/errors.ts';
import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import type { Version } from '#lib/storage/sequence.ts';
import type { Mutated, Outcome, StoredObject } from '#lib/storage/storage.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import { decideDelete, deletesDuringUpdate, type DeleteOptions } from '../rest/delete.ts';
import { release } from './allocating.ts';
import { attributesOf } from './attributes.ts';
import { asReadBack, decodeStored, encodeStored, keyOf } from './encode.ts';
import type { Result } from './result.ts';

export interface DeleteResult {
  readonly result: Result;
  /** False where finalizers or a grace period hold the object. */
  readonly deleted: boolean;
  readonly uid: string;
}

/** Deletes, or begins to. Throws 404, and 409 where a precondition fails. */
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

async function deleteOnce(
  definition: ResourceDefinition,
  context: OperationContext,
  name: string,
  options: DeleteOptions,
): Promise<DeleteResult | undefined> {
  const { resource, scheme, storage } = definition;
  const key = keyOf(definition, context, name);
  const stored = await storage.get(key, { kind: 'fresh' });
  if (stored === undefined) throw notFound(resource, name);
  const current = decodeStored(definition, stored);
  await context.turn?.();
  const uid = stringAt(objectAt(current, 'metadata'), 'uid') ?? '';
  const decision = decideDelete(definition, current, options, context.now);
  const attributes = attributesOf(context, { operation: 'DELETE', scheme, resource, name, oldObject: current });
  await context.admission.admit(attributes);
  await context.admission.validate(attributes);
  await context.turn?.();
  if (decision.action === 'pending') return { result: { stored }, deleted: false, uid };
  const deleted = decision.action === 'delete';
  const next = deleted ? decision.marked : decision.object;
  if (context.dryRun) return { result: { object: await asReadBack(definition, next ?? current) }, deleted, uid };
  const write: Write = { definition, key, version: stored.version };
  const done = await (next === undefined ? remove(write) : deleted ? removeMarked(write, next) : put(write, next));
  if (done.result === 'stale') return undefined;
  if (deleted) await release(definition, context, current);
  return { result: { stored: done.stored as StoredObject }, deleted, uid };
}

interface Write {
  readonly definition: ResourceDefinition;
  readonly key: string;
  /** The state that was judged. */
  readonly version: Version;
}

type Done = Mutated<'stale' | 'done'>;
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
 * Who watches is told of the object as it was marked, and then that it is gone, as upstream tells. Where an entry has room both
 * are one commit; where it has not, what came between them stands if it holds the object.
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
