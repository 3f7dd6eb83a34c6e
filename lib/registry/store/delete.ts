import { admit, validate, type Attributes } from '#lib/admission/admission.ts';
import { notFound } from '#lib/machinery/errors.ts';
import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import type { Outcome, StoredObject } from '#lib/storage/storage.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import { decideDelete, type DeleteOptions } from '../rest/delete.ts';
import { release } from './allocating.ts';
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
  const { resource, storage } = definition;
  const key = keyOf(definition, context, name);
  const stored = await storage.get(key, { kind: 'fresh' });
  if (stored === undefined) throw notFound(resource, name);
  const current = decodeStored(definition, stored);
  const uid = stringAt(objectAt(current, 'metadata'), 'uid') ?? '';
  const decision = decideDelete(definition, current, options, context.now);
  const attributes = deleteAttributes(definition, context, name, current);
  await admit(context.admission, attributes);
  await validate(context.admission, attributes);
  if (decision.action === 'pending') return { result: { stored }, deleted: false, uid };
  const deleted = decision.action === 'delete';
  const next = deleted ? decision.marked : decision.object;
  if (context.dryRun) return { result: { object: await asReadBack(definition, next ?? current) }, deleted, uid };
  const encoded = next === undefined ? undefined : encodeStored(definition, next);
  const done = await storage.mutate(key, (found): Outcome<'stale' | 'done'> => {
    if (found?.version !== stored.version) return { action: 'keep', result: 'stale' };
    if (deleted || encoded === undefined) return { action: 'delete', ...bodyOf(encoded), result: 'done' };
    return { action: 'put', ...encoded, result: 'done' };
  });
  if (done.result === 'stale') return undefined;
  if (deleted) await release(definition, context, current);
  return { result: { stored: done.stored as StoredObject }, deleted, uid };
}

const bodyOf = (encoded: { readonly body: Uint8Array } | undefined): { readonly body?: Uint8Array } =>
  encoded === undefined ? {} : { body: encoded.body };

function deleteAttributes(
  { scheme, resource }: ResourceDefinition,
  context: OperationContext,
  name: string,
  current: JsonObject,
): Attributes {
  const { namespace, subresource, user, dryRun, options, warn, annotate, took } = context;
  return {
    operation: 'DELETE',
    kind: scheme.kind,
    scheme,
    resource,
    subresource,
    namespace,
    name,
    oldObject: current,
    dryRun,
    options,
    user,
    warn,
    annotate,
    took,
  };
}
