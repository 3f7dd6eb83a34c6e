import { hasEmpty, holdsEmpty } from '#lib/machinery/empties.ts';
import { conflict, invalid, unclassified } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { clone, equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import { inOrder, type Step, type Steps } from '#lib/machinery/steps.ts';
import { type FieldError, FieldPath, invalid as invalidField } from '#lib/machinery/validation/field.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { UpdateStrategy } from '../strategy.ts';
import type { OperationContext } from './context.ts';
import { check, hasGeneration, steps } from './create.ts';
import { ensureMetadata, ensureNamespace } from './meta.ts';
import { updatedMetadata } from './metadata-checks.ts';

const METADATA = FieldPath.of('metadata');
const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/** Checks the resourceVersion of the client's object. Uses the current version if it is absent and the kind allows that. */
export function checkResourceVersion(definition: ResourceDefinition, hub: JsonObject, current: JsonObject): void {
  const metadata = ensureMetadata(hub);
  const given = resourceVersionOf(hub);
  const actual = resourceVersionOf(current);
  checkIsVersion(given);
  if (given === '' || given === '0') {
    if (definition.strategy.allowUnconditionalUpdate === false) throw versionMissing(definition, nameOf(current));
    metadata['resourceVersion'] = actual;
  } else if (given !== actual) throw conflict(definition.resource, nameOf(current), MODIFIED);
}

/** Throws upstream's plain 500 if the version is not a number. */
export function checkIsVersion(given: string): void {
  if (/^[0-9]*$/.test(given)) return;
  throw unclassified(`strconv.ParseUint: parsing ${quote(given)}: invalid syntax`);
}

function versionMissing({ resource }: ResourceDefinition, name: string): Error {
  const error = invalidField(METADATA.child('resourceVersion'), 0, 'must be specified for an update');
  return invalid({ group: resource.group, kind: resource.resource }, name, [error]);
}

/** The kind's strategy for a subresource whose body is the object itself, if it has one. */
export function subresourceOf({ strategy }: ResourceDefinition, name: string): UpdateStrategy | undefined {
  const { subresources = {} } = strategy;
  return Object.hasOwn(subresources, name) ? subresources[name] : undefined;
}

/** The strategy for a write through `subresource`. */
export function updateStrategy(definition: ResourceDefinition, subresource: string): UpdateStrategy {
  if (subresource === '') return definition.strategy;
  return subresourceOf(definition, subresource) ?? (subresource === 'status' ? STATUS : definition.strategy);
}

/** The default strategy of a status write: keeps everything except status. */
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

/** An update that passes through its kind's rules. */
interface Change {
  readonly definition: ResourceDefinition;
  readonly context: OperationContext;
  /** The strategy of the endpoint. */
  readonly rules: UpdateStrategy;
  /** Changed in place. */
  readonly hub: JsonObject;
  readonly old: JsonObject;
  /** Errors that are reported together. */
  readonly errors: FieldError[];
}

/** Upstream's BeforeUpdate. Lets other requests run between the steps. */
const STEPS: readonly Step<Change>[] = [
  keepUnowned, // before the kind sees the object
  prepare, // may revert changes
  countGeneration, // counts the changes that remain after `prepare`
  keepServerFields, // before validation, which compares them with the old values
  preValidate, // errors that are reported alone
  validateMetadata, // its errors come before the kind's own
  validateObject,
  refuse, // throws all errors at once
  warn, // only for a valid object
];

/** Restores immutable fields, prepares the object, bumps the generation and validates the result. Throws 422 with all errors. */
export function beforeUpdate(
  definition: ResourceDefinition,
  hub: JsonObject,
  old: JsonObject,
  context: OperationContext,
): Steps<void> {
  const rules = updateStrategy(definition, context.subresource);
  return inOrder(STEPS, { definition, context, rules, hub, old, errors: [] });
}

/** Restores fields that no update may change. */
function keepUnowned({ definition, context, hub, old }: Change): void {
  const { strategy, namespaced, hasStatus, custom } = definition;
  const metadata = ensureMetadata(hub);
  ensureNamespace(metadata, namespaced ? context.namespace : '');
  keep(metadata, ensureMetadata(old), 'generation');
  const isPlain = context.subresource === '' && hasStatus && !custom && strategy.prepareForUpdate === undefined;
  if (isPlain) keep(hub, old, 'status');
}

/** Lets the kind restore fields that clients may not change. */
function prepare({ rules, hub, old, context }: Change): void {
  rules.prepareForUpdate?.(hub, old, context);
}

function countGeneration({ definition, context, hub, old }: Change): void {
  const exact = definition.strategy.exactGeneration === true;
  if (!WRITES_SPEC.has(context.subresource) || !hasGeneration(definition) || !specChanged(hub, old, exact)) return;
  ensureMetadata(hub)['generation'] = Number(ensureMetadata(old)['generation'] ?? 0) + 1;
}

function keepServerFields({ hub, old }: Change): void {
  const metadata = ensureMetadata(hub);
  const before = ensureMetadata(old);
  if (metadata['uid'] === undefined || metadata['uid'] === '') keep(metadata, before, 'uid');
  if (before['creationTimestamp'] !== undefined) keep(metadata, before, 'creationTimestamp');
  if (before['deletionTimestamp'] !== undefined) keep(metadata, before, 'deletionTimestamp');
  if (metadata['deletionGracePeriodSeconds'] === undefined) keep(metadata, before, 'deletionGracePeriodSeconds');
}

function preValidate({ definition, context, hub, old }: Change): void {
  if (context.subresource === '') check(definition, hub, definition.strategy.preValidate?.(hub, old) ?? []);
}

function* validateMetadata({ definition, hub, old, errors }: Change): Steps<void> {
  for (const error of yield* updatedMetadata(definition, hub, old)) errors.push(error);
}

function* validateObject({ definition, rules, context, hub, old, errors }: Change): Steps<void> {
  const paused = context.subresource === '' ? definition.strategy.validationSteps?.(hub, old) : undefined;
  for (const error of rules.validateUpdate?.(hub, old, context.warn) ?? (yield* steps(paused))) errors.push(error);
}

function refuse({ definition, hub, errors }: Change): void {
  check(definition, hub, errors);
}

function warn({ definition, context, hub, old }: Change): void {
  if (context.subresource !== '') return;
  for (const text of definition.strategy.warnings?.(hub, old) ?? []) context.warn(text);
}

function keep(target: JsonObject, source: JsonObject, field: string): void {
  const value = source[field];
  if (value === undefined) delete target[field];
  else target[field] = value;
}

/** Endpoints that write the spec. */
const WRITES_SPEC: ReadonlySet<string> = new Set(['', 'scale']);

/** Whether anything except metadata and status differs. Such a change bumps the generation. */
function specChanged(hub: JsonObject, old: JsonObject, exact: boolean): boolean {
  const fields = new Set([...Object.keys(hub), ...Object.keys(old)]);
  for (const field of ['metadata', 'status', 'kind', 'apiVersion']) fields.delete(field);
  if (exact && (hasEmpty(hub) || [...fields].some((field) => holdsEmpty(hub[field])))) return true;
  return [...fields].some((field) => !equal(hub[field], old[field]));
}
