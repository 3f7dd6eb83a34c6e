import { unclassified } from '#lib/machinery/errors.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import { type Comparison, compare, exclude } from './compare.ts';
import { difference, type FieldSet, intersection, isEmpty, recursiveDifference, union } from './field-set.ts';
import { problemText } from './form.ts';
import { changed, type Manager, type Managers } from './managed-fields.ts';
import { reconcile } from './reconcile.ts';
import { type Convert, explained, type Versioned } from './versions.ts';

/** The fields of other managers that this write changes, by manager. */
export type Conflicts = ReadonlyMap<string, FieldSet>;

/** One write: the live object, the new object, and the managers before the write. */
export interface Change {
  readonly live: Versioned;
  readonly next: Versioned;
  readonly managers: Managers;
  /** The writer's identifier, which is never in conflict with itself. */
  readonly writer: string;
  readonly convert: Convert;
}

/** Adapts sets to the present schema. Drops managers of a version that no longer exists, because their fields cannot be interpreted. */
export function reconcileManagers(managers: Managers, live: Versioned, convert: Convert): Managers {
  const kept = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const versioned = convert(live, manager.apiVersion);
    if (versioned === undefined) continue;
    const set = reconcile(manager.set, versioned.schema);
    kept.set(id, set === manager.set ? manager : changed(manager, { set }));
  }
  return kept;
}

/** The effect of a change on the sets of other managers. `comparison` is in the writer's version, without the ignored fields. */
export interface Effect {
  readonly comparison: Comparison;
  readonly conflicts: Conflicts;
  /** The managers after a forced write, each without the fields that it lost. */
  readonly managers: Managers;
}

/** Throws a 500 with upstream's text if an object does not have its type. */
export function* effectOf(change: Change): Steps<Effect> {
  const comparisons = new Map<string, Comparison | undefined>();
  const touched = new Map<Comparison, FieldSet>();
  const own = compareVersioned(change.live, change.next);
  comparisons.set(change.next.apiVersion, own);
  yield;
  const conflicts = new Map<string, FieldSet>();
  const managers = new Map<string, Manager>();
  for (const [id, manager] of change.managers) {
    if (id === change.writer) managers.set(id, manager);
    else {
      const comparison = comparisonIn(change, manager.apiVersion, comparisons);
      if (comparison === undefined) continue;
      yield;
      const lost = intersection(manager.set, touchedBy(comparison, touched));
      yield;
      if (!isEmpty(lost)) conflicts.set(id, lost);
      const rest = difference(manager.set, lost);
      yield;
      keep(managers, id, manager, difference(rest, comparison.removed));
    }
  }
  return { comparison: own, conflicts, managers };
}

/** Returns the fields that a change adds or modifies, computed once for all managers of a version. */
function touchedBy(comparison: Comparison, known: Map<Comparison, FieldSet>): FieldSet {
  const set = known.get(comparison) ?? union(comparison.modified, comparison.added);
  known.set(comparison, set);
  return set;
}

function keep(managers: Map<string, Manager>, id: string, manager: Manager, set: FieldSet): void {
  if (isEmpty(set)) return;
  managers.set(id, set === manager.set ? manager : changed(manager, { set }));
}

function comparisonIn(
  { live, next, convert }: Change,
  version: string,
  known: Map<string, Comparison | undefined>,
): Comparison | undefined {
  if (known.has(version)) return known.get(version);
  const from = explained('failed to convert old object', () => convert(live, version));
  const to = explained('failed to convert new object', () => convert(next, version));
  const comparison = from && to && compareVersioned(from, to);
  known.set(version, comparison);
  return comparison;
}

function compareVersioned(live: Versioned, next: Versioned): Comparison {
  const comparison = compare(live.object, next.object, next.schema);
  if (comparison.problems.length > 0) {
    throw unclassified(`failed to compare objects: ${problemText(comparison.problems)}`);
  }
  return exclude(comparison, next.ignored);
}

/** Returns the fields that the writer of an update owns: all that it added or modified. */
export function updatedSet({ comparison: { added, modified } }: Effect, ignored: FieldSet | undefined): FieldSet {
  const set = union(modified, added);
  return ignored === undefined ? set : recursiveDifference(set, ignored);
}

/** Returns the conflicts without the paths of a set. */
export function conflictsOutside(conflicts: Conflicts, allowed: FieldSet): Conflicts {
  const kept = new Map<string, FieldSet>();
  for (const [id, set] of conflicts) {
    const rest = difference(set, allowed);
    if (!isEmpty(rest)) kept.set(id, rest);
  }
  return kept;
}
