import type { Json } from '#lib/machinery/json-value.ts';
import { difference, hasPath, isEmpty, setOf, union } from './field-set.ts';
import {
  changed,
  decodeManagedFields,
  encodeManagedFields,
  identifier,
  type Manager,
  type Managers,
} from './managed-fields.ts';
import type { PathElement } from './path-element.ts';

const SCALE_VERSION = 'autoscaling/v1';
const REPLICAS: readonly PathElement[] = ['f:spec', 'f:replicas'];

/** Where each version of the main resource has its replicas; null where it has no scale. Unknown versions are absent. */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[] | null>;

/** The managedFields of a Scale: who owns the main object's replicas. Undefined where the entries cannot be read. */
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
 * The main object's managedFields after a write to its Scale: who lost the replicas loses their path, who got them gets it.
 * Upstream's ScaleHandler. Undefined where entries cannot be read.
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
    give(managers, { ...manager, set: setOf(path), apiVersion });
  }
  return encodeManagedFields(managers);
}

/** An entry of the main object that is the same manager's takes the path; upstream would write two of one name. */
function give(managers: Map<string, Manager>, got: Manager): void {
  const id = identifier(got);
  const present = managers.get(id);
  managers.set(id, changed(present ?? got, { set: present === undefined ? got.set : union(present.set, got.set) }));
}

function ownedBefore(manager: Manager | undefined, replicas: ReplicasPaths): boolean {
  const path = manager === undefined ? null : (replicas.get(manager.apiVersion) ?? null);
  return path !== null && manager !== undefined && hasPath(manager.set, path);
}

interface Held {
  readonly id: string;
  readonly manager: Manager;
  readonly path: readonly PathElement[] | null;
  readonly owners: Managers;
}

function keepUnlessLost(managers: Map<string, Manager>, { id, manager, path, owners }: Held): void {
  const lost = path !== null && hasPath(manager.set, path) && !owners.has(id);
  const set = lost ? difference(manager.set, setOf(path)) : manager.set;
  if (isEmpty(set)) return;
  managers.set(id, lost ? changed(manager, { set }) : manager);
}
