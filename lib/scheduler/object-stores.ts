import type { KnownObjects } from './framework/objects.ts';
import { ObjectStore } from './object-store.ts';
import { WATCHED, type WatchedName } from './resources.ts';

/** A store for each watched resource. */
export type ObjectStores = { readonly [N in WatchedName]: ObjectStore<KnownObjects[N]> };

/** Creates empty stores for every kind of object that the scheduler watches. */
export const newObjectStores = (): ObjectStores => ({
  nodes: new ObjectStore(WATCHED.nodes),
  pods: new ObjectStore(WATCHED.pods),
  namespaces: new ObjectStore(WATCHED.namespaces),
  persistentvolumeclaims: new ObjectStore(WATCHED.persistentvolumeclaims),
  persistentvolumes: new ObjectStore(WATCHED.persistentvolumes),
  storageclasses: new ObjectStore(WATCHED.storageclasses),
  csinodes: new ObjectStore(WATCHED.csinodes),
  csidrivers: new ObjectStore(WATCHED.csidrivers),
  csistoragecapacities: new ObjectStore(WATCHED.csistoragecapacities),
  volumeattachments: new ObjectStore(WATCHED.volumeattachments),
  poddisruptionbudgets: new ObjectStore(WATCHED.poddisruptionbudgets),
  services: new ObjectStore(WATCHED.services),
  replicationcontrollers: new ObjectStore(WATCHED.replicationcontrollers),
  replicasets: new ObjectStore(WATCHED.replicasets),
  statefulsets: new ObjectStore(WATCHED.statefulsets),
  resourceclaims: new ObjectStore(WATCHED.resourceclaims),
  resourceslices: new ObjectStore(WATCHED.resourceslices),
  deviceclasses: new ObjectStore(WATCHED.deviceclasses),
});
