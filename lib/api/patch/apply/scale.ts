import type { Json } from '#lib/machinery/json-value.ts';
import { difference, hasPath, isEmpty, setOf } from './field-set.ts';
import { changed, decodeManagedFields, encodeManagedFields, type Manager, type Managers } from './managed-fields.ts';
import type { PathElement } from './path-element.ts';

const SCALE_VERSION = 'autoscaling/v1';
const REPLICAS: readonly PathElement[] = ['f:spec', 'f:replicas'];

/** The path of the replicas in each version of the main resource; null for a version without a scale. Unknown versions are absent. */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[] | null>;

/** Returns the managedFields of a Scale: the owners of the main object's replicas. Undefined if the entries are malformed. */
export function scaleManagers(parent: Json | undefined, replicas: ReplicasPaths): Json[] | undefined {
  const decoded = decodeManagedFields(parent);
  if ('reason' in decoded) return undefined;
  const owners = new Map<string, Manager>();
  for (const [id, manager] of decoded.managers) {
    const path = replicas.get(manager.apiVersion) ?? null;
    if (path === null || !hasPath(manager.set, path)) continue;
    owners.set(id, changed(manager, { set: setOf(REPLICAS), apiVersion: SCALE_VERSION }));
  }
  return encodeManagedFields(owners);
}

interface Merge {
  /** The main object's managedFields before the write, and the Scale's after it. */
  readonly parent: Json | undefined;
  readonly scale: Json | undefined;
  /** The version in which the main object is written. */
  readonly apiVersion: string;
  readonly replicas: ReplicasPaths;
}

/**
 * Returns the main object's managedFields after a write to its Scale. A manager that lost or gained the replicas loses or gains their path.
 * Like upstream's ScaleHandler, never matches an updater's entry of the Scale with one of the main object, because the Scale's entry has no
 * time and the name may not be unique. Undefined if entries are malformed.
 */
export function parentManagers({ parent, scale, apiVersion, replicas }: Merge): Json[] | undefined {
  const [before, after] = [decodeManagedFields(parent), decodeManagedFields(scale)];
  if ('reason' in before || 'reason' in after) return undefined;
  const managers = new Map<string, Manager>();
  for (const [id, manager] of before.managers) {
    const path = replicas.get(manager.apiVersion);
    if (path !== undefined) keepUnlessLost(managers, { id, manager, path, owners: after.managers });
  }
  const path = replicas.get(apiVersion) ?? null;
  for (const [id, manager] of after.managers) {
    const isNew = !ownedBefore(before.managers.get(id), replicas);
    if (path === null || !isNew || !hasPath(manager.set, REPLICAS)) continue;
    const { time: _, ...untimed } = manager;
    managers.set(id, changed(untimed, { set: setOf(path), apiVersion }));
  }
  return encodeManagedFields(managers);
}

function ownedBefore(manager: Manager | undefined, replicas: ReplicasPaths): boolean {
  const path = manager === undefined ? null : (replicas.get(manager.apiVersion) ?? null);
  return path !== null && manager !== undefined && hasPath(manager.set, path);
}

interface ManagedReplicas {
  readonly id: string;
  readonly manager: Manager;
  readonly path: readonly PathElement[] | null;
  readonly owners: Managers;
}

function keepUnlessLost(managers: Map<string, Manager>, { id, manager, path, owners }: ManagedReplicas): void {
  const lost = path !== null && hasPath(manager.set, path) && !owners.has(id);
  const set = lost ? difference(manager.set, setOf(path)) : manager.set;
  if (isEmpty(set)) return;
  managers.set(id, lost ? changed(manager, { set }) : manager);
}
