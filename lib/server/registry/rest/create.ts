import { invalid } from '#lib/machinery/errors.ts';
import { type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { newUid } from '#lib/machinery/random.ts';
import { inOrder, type Step, type Steps } from '#lib/machinery/steps.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { FieldError } from '#lib/machinery/validation/field.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from './context.ts';
import { ensureMetadata, ensureNamespace, wipeSystemFields } from './meta.ts';
import { checksMetadata, createdMetadata } from './metadata-checks.ts';

/** Sets uid and creationTimestamp, and clears fields that only a deletion or the store sets. */
export function fillSystemFields(hub: JsonObject, context: OperationContext): void {
  const metadata = ensureMetadata(hub);
  wipeSystemFields(hub);
  metadata['creationTimestamp'] = timeOf(context.now);
  metadata['uid'] = newUid();
}

/** A new object that passes through its kind's rules. */
interface Creation {
  readonly definition: ResourceDefinition;
  readonly context: OperationContext;
  /** Changed in place. */
  readonly hub: JsonObject;
}

/** Upstream's BeforeCreate. Lets other requests run between the steps. */
const STEPS: readonly Step<Creation>[] = [
  prepare, // before validation: the kind may reset invalid values
  preValidate, // errors that are reported alone
  validate,
  warnOfFields, // only for a valid object
];

/** Prepares and validates a new object. Throws 422 with all errors. */
export const beforeCreate = (definition: ResourceDefinition, hub: JsonObject, context: OperationContext): Steps<void> =>
  inOrder(STEPS, { definition, hub, context });

function prepare({ definition, hub, context }: Creation): void {
  const { strategy, namespaced } = definition;
  const metadata = ensureMetadata(hub);
  ensureNamespace(metadata, namespaced ? context.namespace : '');
  if (hasGeneration(definition)) metadata['generation'] = 1;
  if (definition.hasStatus && strategy.prepareForCreate === undefined) delete hub['status'];
  strategy.prepareForCreate?.(hub, context);
  // Fields that were reset get their defaults again, so that the stored object equals the served one.
  if (definition.custom) definition.scheme.default(hub);
}

function preValidate({ definition, hub }: Creation): void {
  check(definition, hub, definition.strategy.preValidate?.(hub) ?? []);
}

function* validate({ definition, hub }: Creation): Steps<void> {
  const { strategy } = definition;
  const first = strategy.validateFirst?.(hub) ?? [];
  const own = strategy.validate?.(hub) ?? (yield* steps(strategy.validationSteps?.(hub, undefined)));
  yield;
  const metadataErrors = createdMetadata(definition, hub);
  check(definition, hub, [...first, ...(checksMetadata(definition) ? metadataErrors : []), ...own]);
  check(definition, hub, metadataErrors);
}

function warnOfFields({ definition, hub, context }: Creation): void {
  for (const text of definition.strategy.warnings?.(hub) ?? []) context.warn(text);
}

/** Runs steps, if there are any. */
export function* steps(given: Steps<FieldError[]> | undefined): Steps<FieldError[]> {
  return given === undefined ? [] : yield* given;
}

/**
 * Throws 422 with all errors. If the group is a view of another group's objects, the error names the other group. Custom objects keep their
 * own kind.
 */
export function check(definition: ResourceDefinition, hub: JsonObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const { scheme, storedAs, custom } = definition;
  const kind = (custom ? stringAt(hub, 'kind') : undefined) ?? scheme.kind.kind;
  throw invalid({ group: storedAs.group, kind }, nameOf(hub), errors);
}

/** Whether objects of the resource have a generation. */
export function hasGeneration({ strategy, hasStatus, custom }: ResourceDefinition): boolean {
  return strategy.hasGeneration ?? (hasStatus || custom);
}
