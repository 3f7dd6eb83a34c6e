import { difference, EMPTY, type FieldSet, intersection, isEmpty, union } from './field-set.ts';
import type { Manager, Managers } from './managed-fields.ts';
import { withNamedMembers } from './named-members.ts';
import { removeItems } from './remove.ts';
import { toFieldSet } from './to-field-set.ts';
import { type Convert, explained, type Versioned } from './versions.ts';

/**
 * Removes what the applier applied last time but not now, unless another manager owns it. `managers` already contains the applier's new set
 * as `entry`; `last` is its previous one.
 */
export function prune(
  merged: Versioned,
  managers: Managers,
  { last, entry }: PruneContext,
  convert: Convert,
): Versioned {
  if (last === undefined || isAllApplied(last, entry, merged)) return merged;
  return explained('failed to prune fields', () => pruneFrom(merged, managers, last, convert));
}

function pruneFrom(merged: Versioned, managers: Managers, last: Manager, convert: Convert): Versioned {
  const before = explained('failed to convert merged object to last applied version', () =>
    convert(merged, last.apiVersion),
  );
  if (before === undefined) return merged;
  const stripped = without(before, withNamedMembers(last.set, before.schema));
  const owned = explained('failed add back owned items', () => addBackOwned(before, stripped, managers, convert));
  const pruned = addBackDangling(before, convert(owned, last.apiVersion), last.set);
  return { ...merged, object: convert(pruned, merged.apiVersion)?.object ?? merged.object };
}

/** The manager's entries before and after this apply. */
export interface PruneContext {
  readonly last: Manager | undefined;
  readonly entry: Manager;
}

/** Whether everything previously applied still is, the usual case, in which there is nothing to prune. */
function isAllApplied(last: Manager, entry: Manager, { schema }: Versioned): boolean {
  if (isEmpty(last.set)) return true;
  if (last.apiVersion !== entry.apiVersion) return false;
  return isEmpty(difference(withNamedMembers(last.set, schema), withNamedMembers(entry.set, schema)));
}

function without(versioned: Versioned, set: FieldSet): Versioned {
  const object = removeItems(versioned.object, set, versioned.schema);
  return { ...versioned, object: (object ?? {}) as Versioned['object'] };
}

const membersOf = ({ object, schema }: Versioned): FieldSet => withNamedMembers(toFieldSet(object, schema), schema);

/** Restores fields that other managers own. Upstream visits the pruned version first, to restore what conversions need. */
function addBackOwned(merged: Versioned, pruned: Versioned, managers: Managers, convert: Convert): Versioned {
  const versions = new Map([[merged.apiVersion, EMPTY]]);
  for (const { apiVersion, set } of managers.values()) {
    versions.set(apiVersion, union(versions.get(apiVersion) ?? EMPTY, set));
  }
  let result = pruned;
  for (const [version, owned] of versions) {
    const all = explained(`failed to convert merged object at version ${version}`, () => convert(merged, version));
    const rest = explained(`failed to convert pruned object at version ${version}`, () => convert(result, version));
    if (all === undefined || rest === undefined) continue;
    const stays = union(membersOf(rest), withNamedMembers(owned, all.schema));
    result = without(all, difference(membersOf(all), stays));
  }
  return result;
}

/** Removes only what the applier had owned. Unowned fields stay. */
function addBackDangling(merged: Versioned, pruned: Versioned | undefined, last: FieldSet): Versioned {
  if (pruned === undefined) return merged;
  const gone = difference(membersOf(merged), membersOf(pruned));
  return without(merged, intersection(gone, withNamedMembers(last, merged.schema)));
}
