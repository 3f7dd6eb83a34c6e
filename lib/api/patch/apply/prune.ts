import { difference, EMPTY, type FieldSet, intersection, isEmpty, type OpenSet, union, withSelf } from './field-set.ts';
import type { Manager, Managers } from './managed-fields.ts';
import { removeItems } from './remove.ts';
import type { TypedSchema } from './schema.ts';
import { toFieldSet } from './to-field-set.ts';
import { type Convert, explained, type Versioned } from './versions.ts';

/**
 * Removes the fields that the applier applied last time but not now, unless another manager owns them. `managers` already contains the
 * applier's new set as `entry`. `last` is its previous entry.
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

/** Whether everything previously applied is still applied. In this usual case, pruning is unnecessary. */
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

/** Restores fields that other managers own. Like upstream, visits the pruned version first, to restore fields that conversions need. */
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

/** Removes only fields that the applier owned. Unowned fields stay. */
function addBackDangling(merged: Versioned, pruned: Versioned | undefined, last: FieldSet): Versioned {
  if (pruned === undefined) return merged;
  const gone = difference(membersOf(merged), membersOf(pruned));
  return without(merged, intersection(gone, withNamedMembers(last, merged.schema)));
}

/**
 * Returns the set with every named struct field that has owned parts added as a member: upstream's EnsureNamedFieldsAreMembers. Map entries
 * and list items are not added.
 */
function withNamedMembers(set: FieldSet, schema: TypedSchema | undefined): FieldSet {
  if (isEmpty(set)) return set;
  const out: OpenSet = {};
  for (const element in set) {
    const node = set[element] as FieldSet;
    out[element] = isEmpty(node) ? node : childWithMembers(element, node, schema);
  }
  return out;
}

function childWithMembers(element: string, node: FieldSet, schema: TypedSchema | undefined): FieldSet {
  if (element.startsWith('f:')) {
    const field = schema?.map?.fields.get(element.slice(2));
    const child = withNamedMembers(node, field?.type ?? schema?.map?.values);
    return field === undefined ? child : withSelf(child);
  }
  return withNamedMembers(node, element.startsWith('k:') ? schema?.list?.items : undefined);
}
