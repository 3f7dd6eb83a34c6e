import { alreadyExists, forbidden, generateNameConflict, StatusError } from '#lib/machinery/errors.ts';
import { clone, type JsonObject } from '#lib/machinery/json-value.ts';
import { generateNameOf, nameOf } from '#lib/machinery/meta.ts';
import { generateName } from '#lib/machinery/names-generator.ts';
import { inTurns } from '#lib/machinery/steps.ts';
import type { Outcome, StoredObject } from '#lib/storage/storage.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import { beforeCreate, fillSystemFields } from '../rest/create.ts';
import { dedupOwnerReferences, ensureMetadata } from '../rest/meta.ts';
import { allocation } from './allocating.ts';
import { attributesOf } from './attributes.ts';
import { asReadBack, encodeStored, keyOf } from './encode.ts';
import { fitSize } from './fit-size.ts';
import type { WriteResult } from './result.ts';
import {
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
  return nameOf(object) === '' && generateNameOf(object) !== '';
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

/** The way of a new object into the store, in upstream's order. */
const STAGES: readonly Stage<Draft>[] = [
  mutatingAdmission, // first: the rest sees what plugins made of the object
  guardAdmitted, // rights that depend on the content, before a fault in it is told
  drawName, // mutating plugins are asked before a generated name is known
  setSystemFields, // whatever plugins set there
  prepareAndValidate, // only a valid object goes further
  guardWellFormed, // rights that only a valid object shows
  checkRightToCreate, // of an update that creates
  allocation, // takes nothing for an object that is refused
  validatingAdmission, // judges the object as it will be stored, and reserves quota
  fitSize, // runs the rest again where the commit finds the object too large
  answerDryRun, // writes nothing
  commit,
];

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
  const attributes = attributesOf(context, { operation: 'CREATE', scheme, resource, name: nameOf(hub), object: hub });
  return passStages(STAGES, { definition, context, requestName, hub, attributes });
}

/** Gives the object its generated name, which validating plugins are told. */
function drawName(draft: Draft, next: Next<Draft>): Written {
  const { hub, attributes } = draft;
  if (isGenerated(hub)) ensureMetadata(hub)['name'] = generateName(generateNameOf(hub));
  const name = nameOf(hub);
  return next(attributes.name === name ? draft : { ...draft, attributes: { ...attributes, name } });
}

function setSystemFields(draft: Draft, next: Next<Draft>): Written {
  fillSystemFields(draft.hub, draft.context);
  return next(draft);
}

/** Upstream's BeforeCreate. */
async function prepareAndValidate(draft: Draft, next: Next<Draft>): Written {
  const { definition, context, hub } = draft;
  await inTurns(beforeCreate(definition, hub, context), context.turn);
  return next(draft);
}

async function checkRightToCreate(draft: Draft, next: Next<Draft>): Written {
  await draft.context.mayCreate?.();
  return next(draft);
}

/** Undefined where the name is taken. */
async function answerDryRun(draft: Draft, next: Next<Draft>): Written {
  const { definition, context, hub } = draft;
  if (!context.dryRun) return next(draft);
  const taken = await definition.storage.get(keyOf(definition, context, nameOf(hub)), { kind: 'fresh' });
  return taken === undefined ? { result: { object: await asReadBack(definition, hub) }, created: true } : undefined;
}

/** Puts the object where nothing is; undefined where something is. */
async function commit({ definition, context, hub }: Draft): Written {
  const key = keyOf(definition, context, nameOf(hub));
  delete ensureMetadata(hub)['resourceVersion'];
  const encoded = encodeStored(definition, hub);
  const done = await definition.storage.mutate(
    key,
    (current): Outcome<'taken' | 'done'> =>
      current === undefined ? { action: 'put', ...encoded, result: 'done' } : { action: 'keep', result: 'taken' },
  );
  if (done.result === 'taken') return undefined;
  return { result: { stored: done.stored as StoredObject }, created: true };
}
