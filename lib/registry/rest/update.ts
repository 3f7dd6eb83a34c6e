import { hasEmpty, holdsEmpty } from '#lib/machinery/empties.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { conflict, invalid, unclassified } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { clone, equal, objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import { FieldPath, invalid as invalidField } from '#lib/machinery/validation/field.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { UpdateStrategy } from '../strategy.ts';
import type { OperationContext } from './context.ts';
import { check, hasGeneration, steps, strategyContext } from './create.ts';
import { ensureMetadata, ensureNamespace } from './meta.ts';
import { updatedMetadata } from './metadata-checks.ts';

const METADATA = FieldPath.of('metadata');
const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/** Checks the version that the client's object is based on, or takes the current one where the kind allows that. */
export function checkResourceVersion(definition: ResourceDefinition, hub: JsonObject, current: JsonObject): void {
  const metadata = ensureMetadata(hub);
  const given = stringAt(metadata, 'resourceVersion') ?? '';
  const actual = stringAt(objectAt(current, 'metadata'), 'resourceVersion') ?? '';
  checkIsVersion(given);
  if (given === '' || given === '0') {
    if (definition.strategy.allowUnconditionalUpdate === false) throw versionMissing(definition, nameOf(current));
    metadata['resourceVersion'] = actual;
  } else if (given !== actual) throw conflict(definition.resource, nameOf(current), MODIFIED);
}

/** Throws upstream's plain 500 for a version that is no number. */
export function checkIsVersion(given: string): void {
  if (/^[0-9]*$/.test(given)) return;
  throw unclassified(`strconv.ParseUint: parsing ${quote(given)}: invalid syntax`);
}

function versionMissing({ resource }: ResourceDefinition, name: string): Error {
  const error = invalidField(METADATA.child('resourceVersion'), 0, 'must be specified for an update');
  return invalid({ group: resource.group, kind: resource.resource }, name, [error]);
}

/** The rule of a subresource whose body is the object itself, where the kind has it. */
export function subresourceOf({ strategy }: ResourceDefinition, name: string): UpdateStrategy | undefined {
  const { subresources = {} } = strategy;
  return Object.hasOwn(subresources, name) ? subresources[name] : undefined;
}

/** The strategy of a write through `subresource`. */
export function updateStrategy(definition: ResourceDefinition, subresource: string): UpdateStrategy {
  if (subresource === '') return definition.strategy;
  return subresourceOf(definition, subresource) ?? (subresource === 'status' ? STATUS : definition.strategy);
}

/** A status write without a rule of its own: everything but status stays. */
const STATUS: UpdateStrategy = {
  prepareForUpdate(object, old) {
    for (const field of Object.keys(object)) if (field !== 'status' && field !== 'metadata') delete object[field];
    for (const field of Object.keys(old))
      if (field !== 'status' && field !== 'metadata') object[field] = clone(old[field] ?? null);
    const kept = ensureMetadata(object);
    const metadata: JsonObject = clone(ensureMetadata(old));
    for (const field of ['managedFields', 'resourceVersion']) {
      delete metadata[field];
      if (kept[field] !== undefined) metadata[field] = kept[field];
    }
    object['metadata'] = metadata;
  },
};

/** Upstream's BeforeUpdate: keeps what an update may not change, prepares, bumps the generation, validates. */
export function* beforeUpdate(
  definition: ResourceDefinition,
  hub: JsonObject,
  old: JsonObject,
  context: OperationContext,
): Steps<void> {
  const { strategy, namespaced } = definition;
  const metadata = ensureMetadata(hub);
  const before = ensureMetadata(old);
  const chosen = updateStrategy(definition, context.subresource);
  ensureNamespace(metadata, namespaced ? context.namespace : '');
  keep(metadata, before, 'generation');
  if (
    context.subresource === '' &&
    definition.hasStatus &&
    !definition.custom &&
    strategy.prepareForUpdate === undefined
  ) {
    keep(hub, old, 'status');
  }
  chosen.prepareForUpdate?.(hub, old, strategyContext(context));
  yield;
  if (
    WRITES_SPEC.has(context.subresource) &&
    hasGeneration(definition) &&
    specChanged(hub, old, strategy.exactGeneration === true)
  ) {
    metadata['generation'] = Number(before['generation'] ?? 0) + 1;
  }
  keepServerFields(ensureMetadata(hub), before);
  yield;
  if (context.subresource === '') check(definition, hub, strategy.preValidate?.(hub, old) ?? []);
  const metadataErrors = yield* updatedMetadata(definition, hub, old);
  yield;
  const inSteps = context.subresource === '' ? strategy.validationSteps?.(hub, old) : undefined;
  const own = chosen.validateUpdate?.(hub, old, context.warn) ?? (yield* steps(inSteps));
  check(definition, hub, [...metadataErrors, ...own]);
  yield;
  if (context.subresource === '') for (const text of strategy.warnings?.(hub, old) ?? []) context.warn(text);
}

function keepServerFields(metadata: JsonObject, before: JsonObject): void {
  if (metadata['uid'] === undefined || metadata['uid'] === '') keep(metadata, before, 'uid');
  if (before['creationTimestamp'] !== undefined) keep(metadata, before, 'creationTimestamp');
  if (before['deletionTimestamp'] !== undefined) keep(metadata, before, 'deletionTimestamp');
  if (metadata['deletionGracePeriodSeconds'] === undefined) keep(metadata, before, 'deletionGracePeriodSeconds');
}

function keep(target: JsonObject, source: JsonObject, field: string): void {
  const value = source[field];
  if (value === undefined) delete target[field];
  else target[field] = value;
}

/** Endpoints that write the spec. */
const WRITES_SPEC: ReadonlySet<string> = new Set(['', 'scale']);

/** Whether anything but metadata and status differs: what a generation counts. */
function specChanged(hub: JsonObject, old: JsonObject, exact: boolean): boolean {
  const fields = new Set([...Object.keys(hub), ...Object.keys(old)]);
  for (const field of ['metadata', 'status', 'kind', 'apiVersion']) fields.delete(field);
  if (exact && (hasEmpty(hub) || [...fields].some((field) => holdsEmpty(hub[field])))) return true;
  return [...fields].some((field) => !equal(hub[field], old[field]));
}
