import { defined } from '#lib/machinery/defined.ts';
import { badRequest, unclassified } from '#lib/machinery/errors.ts';
import { clone, equal, type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import { finished, type Steps } from '#lib/machinery/steps.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { conflictError } from './conflict.ts';
import { type FieldSet, isEmpty, recursiveDifference } from './field-set.ts';
import { problemText } from './form.ts';
import { ownedByClientSideApply, withLastApplied } from './last-applied.ts';
import {
  decodeManagedFields,
  identifier,
  type Manager,
  type Managers,
  withManagedFields,
  withoutManagedFields,
} from './managed-fields.ts';
import { merge } from './merge.ts';
import { prune } from './prune.ts';
import { managersAfter } from './record-update.ts';
import type { TypedSchema } from './schema.ts';
import { stripMeta } from './strip-meta.ts';
import { toFieldSet } from './to-field-set.ts';
import { type Conflicts, conflictsOutside, effectOf, reconcileManagers } from './updater.ts';
import { validate } from './validate.ts';
import { type Convert, convertWith, type Versioned } from './versions.ts';

/** A server-side apply. `live` is in the request's version, and `{}` for a create. `applied` is the configuration as the client sent it. */
export interface Apply {
  readonly live: JsonObject;
  readonly applied: JsonObject;
  readonly manager: string;
  readonly force: boolean;
  readonly schema: TypedSchema;
  readonly apiVersion: string;
  readonly subresource?: string;
  readonly now: Date;
  readonly isCreate: boolean;
  readonly resetFields?: FieldSet;
  readonly convert?: Convert | undefined;
}

const BEFORE_FIRST_APPLY = 'before-first-apply';

/**
 * Returns the live object with the configuration merged in, without fields that the manager no longer applies, and with the new
 * managedFields. The result shares nothing with the inputs, and defaults are not filled in. Throws 409 for conflicts, 400 for a
 * configuration with managedFields, and upstream's plain 500 if the configuration does not match its type.
 */
export const applyPatch = (request: Apply): JsonObject => finished(applySteps(request));

/** Like `applyPatch`, with pauses. */
export function* applySteps(request: Apply): Steps<JsonObject> {
  const managers = yield* startingManagers(request);
  yield;
  if (Array.isArray(ownField(objectAt(request.applied, 'metadata'), 'managedFields'))) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const pair = yield* typed(request);
  yield;
  const outcome = yield* applyTo(request, pair, managers);
  yield;
  return clone(request.manager === 'kubectl' ? withLastApplied(outcome, request.applied) : outcome);
}

/** If an object had no managers before its first apply, assigns all its fields to one manager. */
function* startingManagers(request: Apply): Steps<Managers> {
  const { live, isCreate } = request;
  const decoded = decodeManagedFields(ownField(objectAt(live, 'metadata'), 'managedFields'));
  if ('reason' in decoded) throw unclassified(`failed to decode managed fields: ${decoded.reason}`);
  if (isCreate || decoded.managers.size > 0) return decoded.managers;
  const update = { ...request, updated: live, manager: BEFORE_FIRST_APPLY, isCreate: true };
  return yield* managersAfter(update, decoded.managers);
}

interface Pair {
  readonly live: Versioned;
  readonly config: Versioned;
}

function* typed({ live, applied, schema, apiVersion, resetFields }: Apply): Steps<Pair> {
  const as = { schema, apiVersion, ...defined({ ignored: resetFields }) };
  const pair = { config: { ...as, object: applied }, live: { ...as, object: withoutManagedFields(live) } };
  check('patch', pair.config, false);
  yield;
  check('live', pair.live, true);
  return pair;
}

function check(which: 'patch' | 'live', { object, schema, apiVersion }: Versioned, allowDuplicates: boolean): void {
  const problems = validate(object, schema, { allowDuplicates });
  if (problems.length === 0) return;
  throw unclassified(
    `failed to create typed ${which} object (${describe(object, apiVersion)}): ${problemText(problems)}`,
  );
}

/** Returns `namespace/name; group/version, Kind=kind`. */
function describe(object: JsonObject, apiVersion: string): string {
  const metadata = objectAt(object, 'metadata');
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: apiVersion };
  const kind = `${group}/${version}, Kind=${stringAt(object, 'kind') ?? ''}`;
  return `${stringAt(metadata, 'namespace') ?? ''}/${stringAt(metadata, 'name') ?? ''}; ${kind}`;
}

function* applyTo(request: Apply, { live, config }: Pair, managers: Managers): Steps<JsonObject> {
  const convert = convertWith(request.convert);
  const reconciled = reconcileManagers(managers, live, convert);
  yield;
  const { id, last, entry } = applier(request, config, reconciled);
  yield;
  const claimed = new Map(reconciled).set(id, entry);
  const merged = { ...live, object: merge(live.object, config.object, live.schema) as JsonObject };
  yield;
  const next = prune(merged, claimed, { last, entry }, convert);
  yield;
  const effect = yield* effectOf({ live, next, managers: claimed, writer: id, convert });
  if (!request.force) refuse(disputed(request, effect.conflicts, live), claimed);
  yield;
  const isChanged = !equal(live.object, next.object);
  yield;
  return withManagedFields(isChanged ? next.object : live.object, settled(effect.managers, id, isChanged, request.now));
}

interface Applier {
  readonly id: string;
  readonly last: Manager | undefined;
  readonly entry: Manager;
}

/** Returns the applier's entry with its new set. It keeps the time of the last apply. */
function applier({ manager, apiVersion, subresource = '' }: Apply, config: Versioned, managers: Managers): Applier {
  const info = { manager: manager === '' ? 'unknown' : manager, operation: 'Apply', apiVersion, subresource } as const;
  const id = identifier(info);
  const last = managers.get(id);
  const all = toFieldSet(config.object, config.schema);
  const set = config.ignored === undefined ? all : recursiveDifference(all, config.ignored);
  return { id, last, entry: { ...info, set, ...(last?.time === undefined ? {} : { time: last.time }) } };
}

/** Ignores conflicts between kubectl's server-side apply and its own client-side apply. */
function disputed({ manager }: Apply, conflicts: Conflicts, live: Versioned): Conflicts {
  if (manager !== 'kubectl' || conflicts.size === 0) return conflicts;
  const allowed = ownedByClientSideApply(live);
  return allowed === undefined ? conflicts : conflictsOutside(conflicts, allowed);
}

function refuse(conflicts: Conflicts, managers: Managers): void {
  if (conflicts.size > 0) throw conflictError(conflicts, managers);
}

/** Keeps the times if an apply changes nothing. Removes metadata that no manager can own, and entries that are then empty. */
function settled(managers: Managers, id: string, isChanged: boolean, now: Date): Managers {
  const entry = managers.get(id);
  if (entry === undefined) return managers;
  const kept = new Map(managers);
  const set = stripMeta(entry.set);
  if (isEmpty(set)) kept.delete(id);
  else kept.set(id, { ...entry, set, ...(isChanged ? { time: timeOf(now) } : {}) });
  return kept;
}
