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

/** The number of attempts to draw a generated name that is not taken: upstream's RetryGenerateName. */
const NAME_ATTEMPTS = 8;

/**
 * Stores a new object. The object is in the request's version with managed fields recorded, and may be changed. Throws 409 if the name is
 * taken.
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

/** The error of a create while the resource's definition is being deleted. */
const terminating = ({ resource }: ResourceDefinition, name: string): StatusError =>
  forbidden(resource, name, 'create not allowed while custom resource definition is terminating');

/** The stages of a create, in upstream's order. */
const STAGES: readonly Stage<Draft>[] = [
  mutatingAdmission, // first: later stages see the object with the plugins' changes
  guardAdmitted, // permissions that depend on the content, before any validation error
  drawName, // mutating plugins run before the name is generated
  setSystemFields, // overrides values that plugins set
  prepareAndValidate, // only a valid object continues
  guardWellFormed, // permissions that only a valid object reveals
  checkRightToCreate, // for an update that creates
  allocation, // allocates nothing for a rejected object
  validatingAdmission, // checks the object as it will be stored, and reserves quota
  fitSize, // runs the remaining stages again if the object is too large to commit
  answerDryRun, // writes nothing
  commit,
];

/**
 * Runs all stages of a create for an object in the hub version. `requestName` is the name in the path. Returns undefined if the name is
 * taken. A POST then fails, and an apply or a replacement starts over with the existing object.
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

/** Sets the generated name, which validating plugins see. */
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
  await inTurns(beforeCreate(definition, hub, context), context.request.turn);
  return next(draft);
}

async function checkRightToCreate(draft: Draft, next: Next<Draft>): Written {
  await draft.context.mayCreate?.();
  return next(draft);
}

/** Undefined if the name is taken. */
async function answerDryRun(draft: Draft, next: Next<Draft>): Written {
  const { definition, context, hub } = draft;
  if (!context.dryRun) return next(draft);
  const taken = await definition.storage.get(keyOf(definition, context, nameOf(hub)), { kind: 'fresh' });
  return taken === undefined ? { result: { object: await asReadBack(definition, hub) }, created: true } : undefined;
}

/** Stores the object if the name is free. Otherwise returns undefined. */
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
