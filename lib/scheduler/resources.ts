import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { EventResource } from './framework/events.ts';
import type { Listed } from './framework/interface.ts';

/** A resource that decides where pods go. */
export interface Watched {
  readonly resource: GroupVersionResource;
  /** As what plugins know its changes. Absent: it is looked up alone. */
  readonly event?: EventResource;
  /** What of the spec is kept; absent: all. */
  readonly keeps?: readonly string[];
}

const core = (resource: string) => ({ group: '', version: 'v1', resource });
const apps = (resource: string) => ({ group: 'apps', version: 'v1', resource });
const storage = (resource: string) => ({ group: 'storage.k8s.io', version: 'v1', resource });
const resources = (resource: string) => ({ group: 'resource.k8s.io', version: 'v1', resource });

/** All that the scheduler looks at, by the resource's plural; nodes before the pods on them, and what pods name before both. */
export const WATCHED: Readonly<Record<Listed | 'nodes' | 'pods', Watched>> = {
  namespaces: { resource: core('namespaces') },
  storageclasses: { resource: storage('storageclasses'), event: 'StorageClass' },
  csidrivers: { resource: storage('csidrivers'), event: 'CSIDriver' },
  csinodes: { resource: storage('csinodes'), event: 'CSINode' },
  csistoragecapacities: { resource: storage('csistoragecapacities'), event: 'CSIStorageCapacity' },
  volumeattachments: { resource: storage('volumeattachments'), event: 'VolumeAttachment' },
  persistentvolumes: { resource: core('persistentvolumes'), event: 'PersistentVolume' },
  persistentvolumeclaims: { resource: core('persistentvolumeclaims'), event: 'PersistentVolumeClaim' },
  deviceclasses: { resource: resources('deviceclasses'), event: 'DeviceClass' },
  resourceslices: { resource: resources('resourceslices'), event: 'ResourceSlice' },
  resourceclaims: { resource: resources('resourceclaims'), event: 'ResourceClaim' },
  poddisruptionbudgets: { resource: { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' } },
  services: { resource: core('services'), event: 'Service', keeps: ['selector'] },
  replicationcontrollers: { resource: core('replicationcontrollers'), keeps: ['selector'] },
  replicasets: { resource: apps('replicasets'), keeps: ['selector'] },
  statefulsets: { resource: apps('statefulsets'), keeps: ['selector'] },
  nodes: { resource: core('nodes') },
  pods: { resource: core('pods') },
};

export type WatchedName = keyof typeof WATCHED;

export const isWatchedName = (plural: string): plural is WatchedName => Object.hasOwn(WATCHED, plural);

/** The watched resource of that group and plural. */
export function watchedName(group: string, plural: string): WatchedName | undefined {
  return isWatchedName(plural) && WATCHED[plural].resource.group === group ? plural : undefined;
}
