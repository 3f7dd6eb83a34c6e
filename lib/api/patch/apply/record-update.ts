import { defined } from '#lib/machinery/defined.ts';
import { StatusError, unclassified } from '#lib/machinery/errors.ts';
import { isObject, type Json, type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { finished, type Steps } from '#lib/machinery/steps.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { capManagers } from './cap-managers.ts';
import { type FieldSet, isEmpty, union } from './field-set.ts';
import { problemText } from './form.ts';
import {
  changed,
  decodeManagedFields,
  identifier,
  type Manager,
  type Managers,
  withManagedFields,
  withoutManagedFields,
} from './managed-fields.ts';
import type { TypedSchema } from './schema.ts';
import { stripMeta } from './strip-meta.ts';
import { effectOf, reconcileManagers, updatedSet } from './updater.ts';
import { validate } from './validate.ts';
import { type Convert, convertWith, type Versioned } from './versions.ts';

/** A write other than an apply. Objects are in the request's version, with defaults filled in. */
export interface Update {
  /** The stored object; ignored for a create. */
  readonly live: JsonObject;
  readonly updated: JsonObject;
  readonly manager: string;
  readonly operation?: 'Update';
  readonly schema: TypedSchema;
  readonly apiVersion: string;
  /** Empty for the main resource. */
  readonly subresource?: string;
  readonly now: Date;
  readonly isCreate: boolean;
  /** Set for an object that is not validated elsewhere. If it does not match its type, it gets no managedFields. */
  readonly checksType?: boolean;
  /** Fields that this endpoint resets, such as status. The writer does not become their owner. */
  readonly resetFields?: FieldSet;
  /** Converts to other versions of the kind. Managers of an unknown version lose their entries. */
  readonly convert?: Convert | undefined;
}

/**
 * Returns `updated` with its managedFields after the write. If the write contains managedFields, they replace the old ones, and an empty
 * list resets them. An object without managedFields is not tracked until its first apply. Never fails: like upstream, an object that does
 * not match its type gets no managedFields. Changes neither object. The result shares parts with both.
 */
export const recordUpdate = (update: Update): JsonObject => finished(updateSteps(update));

/** Like `recordUpdate`, with pauses. */
export function* updateSteps(update: Update): Steps<JsonObject> {
  const managers = managersBefore(update);
  if (managers.size === 0 && !update.isCreate) return withoutManagedFields(update.updated);
  yield;
  try {
    const after = yield* managersAfter(update, managers);
    yield;
    return withManagedFields(update.updated, after);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return withoutManagedFields(update.updated);
  }
}

function managersBefore({ live, updated, subresource = '', isCreate }: Update): Managers {
  const stored = isCreate ? undefined : managedFields(live);
  if (subresource !== '') return decodedOrNone(stored);
  const given = managedFields(updated);
  if (isReset(given)) return new Map();
  const decoded = decodeManagedFields(given);
  return 'managers' in decoded && decoded.managers.size > 0 ? decoded.managers : decodedOrNone(stored);
}

const managedFields = (object: JsonObject): Json | undefined => ownField(objectAt(object, 'metadata'), 'managedFields');

function decodedOrNone(entries: Json | undefined): Managers {
  const decoded = decodeManagedFields(entries);
  return 'managers' in decoded ? decoded.managers : new Map();
}

/** Whether the managedFields are an empty list, or a list with one empty entry. */
function isReset(entries: Json | undefined): boolean {
  if (!Array.isArray(entries)) return false;
  const [first] = entries;
  return entries.length === 0 || (entries.length === 1 && isObject(first) && Object.keys(first).length === 0);
}

/** Returns the managers after a change from `live` to `updated` by the manager of `update`. */
export function* managersAfter(update: Update, managers: Managers): Steps<Managers> {
  const { schema, apiVersion, resetFields } = update;
  const convert = convertWith(update.convert);
  const as = { schema, apiVersion, ...defined({ ignored: resetFields }) };
  const live = { ...as, object: update.isCreate ? (schema.zero ?? {}) : withoutManagedFields(update.live) };
  const next = { ...as, object: withoutManagedFields(update.updated) };
  if (update.checksType === true) check(next);
  const reconciled = reconcileManagers(managers, live, convert);
  yield;
  const effect = yield* effectOf({ live, next, managers: reconciled, writer: '', convert });
  yield;
  const set = stripMeta(updatedSet(effect, resetFields));
  yield;
  return capManagers(isEmpty(set) ? effect.managers : withSet(effect.managers, update, set));
}

function check({ object, schema }: Versioned): void {
  const problems = validate(object, schema, { allowDuplicates: true });
  if (problems.length > 0) throw unclassified(problemText(problems));
}

/** Adds the set to the fields that the writer already owned. The time changes only if the write changed something. */
function withSet(managers: Managers, update: Update, set: FieldSet): Managers {
  const info = {
    manager: update.manager === '' ? 'unknown' : update.manager,
    operation: 'Update',
    apiVersion: update.apiVersion,
    subresource: update.subresource ?? '',
  } as const;
  const id = identifier(info);
  const previous: Manager | undefined = managers.get(id);
  const joined = previous === undefined ? set : union(set, previous.set);
  return new Map(managers).set(
    id,
    changed({ ...previous, ...info, set: previous?.set ?? set }, { set: joined, time: timeOf(update.now) }),
  );
}
