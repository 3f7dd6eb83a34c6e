import { alreadyExists, forbidden, generateNameConflict, StatusError } from '#lib/machinery/errors.ts';
import { clone, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { generateNameOf, nameOf } from '#lib/machinery/meta.ts';
import { generateName } from '#lib/machinery/names-generator.ts';
import { inTurns } from '#lib/machinery/steps.ts';
import type { Outcome, StoredObject } from '#lib/storage/storage.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import { beforeCreate, fillSystemFields } from '../rest/create.ts';
import { dedupOwnerReferences, ensureMetadata } from '../rest/meta.ts';
import { allocating } from './allocating.ts';
import { attributesOf } from './attributes.ts';
import { asReadBack, encodeStored, keyOf } from './encode.ts';
import { fitting } from './fitting.ts';
import type { WriteResult } from './result.ts';

/** How often a generated name that is taken is drawn again: upstream's RetryGenerateName. */
const NAME_ATTEMPTS = 8;

/**
 * Stores a new object, given in the request's version with its managed fields recorded; it may be changed. Throws 409 where the
 * name is taken.
 */
export async function create(
  definition: ResourceDefinition,
  context: OperationContext,
  object: JsonObject,
): Promise<WriteResult> {
  const generated = isGenerated(object);
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(definition, context, generated ? clone(object) : object);
    } catch (error) {
      if (!generated || !(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error;
      if (attempt === NAME_ATTEMPTS) throw generateNameConflict(definition.resource, error.details?.name ?? '');
    }
  }
}

function isGenerated(object: JsonObject): boolean {
  const metadata = objectAt(object, 'metadata');
  return (stringAt(metadata, 'name') ?? '') === '' && (stringAt(metadata, 'generateName') ?? '') !== '';
}

async function createOnce(
  definition: ResourceDefinition,
  context: OperationContext,
  object: JsonObject,
): Promise<WriteResult> {
  const hub = definition.scheme.toHub(object);
  const made = await createHub(definition, context, hub);
  if (made === undefined) throw alreadyExists(definition.resource, nameOf(hub));
  return made;
}

/** Nothing is created in a resource whose definition is on its way out. */
const terminating = ({ resource }: ResourceDefinition, name: string): StatusError =>
  forbidden(resource, name, 'create not allowed while custom resource definition is terminating');

/**
 * Names, admission, preparation, validation, allocation and the commit of an object in the hub version. `requestName` is the path's.
 * Returns undefined where the name is taken: a POST refuses then, an apply or a replacement begins again with what it finds.
 */
export async function createHub(
  definition: ResourceDefinition,
  context: OperationContext,
  hub: JsonObject,
  requestName = '',
): Promise<WriteResult | undefined> {
  const { scheme, resource } = definition;
  if (definition.terminating === true) throw terminating(definition, nameOf(hub));
  dedupOwnerReferences(ensureMetadata(hub), context.warn);
  const admitted = attributesOf(context, { operation: 'CREATE', scheme, resource, name: nameOf(hub), object: hub });
  await context.admission.admit(admitted);
  const guarded = { ...admitted, object: hub, requestName };
  await definition.guard?.admitted?.(guarded);
  if (isGenerated(hub)) ensureMetadata(hub)['name'] = generateName(generateNameOf(hub));
  const attributes = admitted.name === nameOf(hub) ? admitted : { ...admitted, name: nameOf(hub) };
  fillSystemFields(hub, context);
  await context.turn?.();
  await inTurns(beforeCreate(definition, hub, context), context.turn);
  await definition.guard?.wellFormed?.(guarded);
  await context.mayCreate?.();
  await context.turn?.();
  return allocating(definition, context, { object: hub }, () =>
    context.admission.validated(attributes, () =>
      fitting(context, hub, (object) => commitCreate(definition, context, object)),
    ),
  );
}

/** Puts the hub object where nothing is; undefined where something is. */
async function commitCreate(
  definition: ResourceDefinition,
  context: OperationContext,
  hub: JsonObject,
): Promise<WriteResult | undefined> {
  const { storage } = definition;
  const key = keyOf(definition, context, nameOf(hub));
  if (context.dryRun) {
    if ((await storage.get(key, { kind: 'fresh' })) !== undefined) return undefined;
    return { result: { object: await asReadBack(definition, hub) }, created: true };
  }
  delete ensureMetadata(hub)['resourceVersion'];
  await context.turn?.();
  const encoded = encodeStored(definition, hub);
  const done = await storage.mutate(
    key,
    (current): Outcome<'taken' | 'done'> =>
      current === undefined ? { action: 'put', ...encoded, result: 'done' } : { action: 'keep', result: 'taken' },
  );
  if (done.result === 'taken') return undefined;
  return { result: { stored: done.stored as StoredObject }, created: true };
}
