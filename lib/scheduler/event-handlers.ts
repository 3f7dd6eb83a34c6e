import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf, uidOf } from '#lib/machinery/meta.ts';
import type { Action, EventResource } from './framework/events.ts';
import type { KnownObjects } from './framework/objects.ts';
import { nominatedNodeNameOf } from './framework/places.ts';
import { podInfoOf } from './framework/pod-info-of.ts';
import { nodeChanges, podChanges } from './framework/properties-change.ts';
import type { WatchedName } from './resources.ts';
import { type Scheduling, schedulerNameOf } from './scheduling.ts';

/** An object before and after a change. The first is absent for an addition, the second for a deletion. */
export interface Changed<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
}

type Handler<T> = (scheduling: Scheduling, change: Changed<T>) => void;

/** Updates cache and queue after a node change: upstream's addNodeToCache, updateNodeInCache and deleteNodeFromCache. */
function nodeChanged({ cache, queue }: Scheduling, { before, after }: Changed<Node>): void {
  if (after === undefined) {
    if (before !== undefined) cache.removeNode(nameOf(before));
  } else cache.setNode(after);
  if (before !== undefined && after !== undefined)
    for (const event of nodeChanges(before, after)) queue.moveAll({ event, before, after });
  else queue.moveAll({ event: { resource: 'Node', action: after === undefined ? 'Delete' : 'Add' }, before, after });
}

/** Notifies the queue of changes of objects that plugins look up. */
const queued =
  (resource: EventResource): Handler<JsonObject> =>
  ({ queue }, { before, after }) => {
    const action: Action = after === undefined ? 'Delete' : before === undefined ? 'Add' : 'Update';
    queue.moveAll({ event: { resource, action }, before, after });
  };

/** Plugins look up these objects, but their changes never make a pod schedulable. */
const ignored = (): void => undefined;

const HANDLERS: { readonly [N in WatchedName]: Handler<KnownObjects[N]> } = {
  pods: podChanged,
  nodes: nodeChanged,
  namespaces: ignored,
  persistentvolumeclaims: queued('PersistentVolumeClaim'),
  persistentvolumes: queued('PersistentVolume'),
  storageclasses: queued('StorageClass'),
  csinodes: queued('CSINode'),
  csidrivers: queued('CSIDriver'),
  csistoragecapacities: queued('CSIStorageCapacity'),
  volumeattachments: queued('VolumeAttachment'),
  poddisruptionbudgets: ignored,
  services: queued('Service'),
  replicationcontrollers: ignored,
  replicasets: ignored,
  statefulsets: ignored,
  resourceclaims: queued('ResourceClaim'),
  resourceslices: queued('ResourceSlice'),
  deviceclasses: queued('DeviceClass'),
};

/** Updates cache and queue after a change of an object of a watched resource. */
export function objectChanged<N extends WatchedName>(
  scheduling: Scheduling,
  name: N,
  change: Changed<KnownObjects[N]>,
): void {
  HANDLERS[name](scheduling, change);
}

/** Updates cache and queue after a pod change: upstream's addPod, updatePod and deletePod. */
function podChanged(scheduling: Scheduling, { before, after }: Changed<Pod>): void {
  if (before !== undefined && after !== undefined && uidOf(before) === uidOf(after))
    return podUpdated(scheduling, before, after);
  if (before !== undefined) podDeleted(scheduling, before);
  if (after !== undefined) podAdded(scheduling, after);
}

const isResponsible = ({ frameworks }: Scheduling, pod: Pod): boolean => frameworks.has(schedulerNameOf(pod));

function podAdded(scheduling: Scheduling, pod: Pod): void {
  if (nodeNameOf(pod) !== '') assignedPodAdded(scheduling, pod);
  else if (isResponsible(scheduling, pod)) scheduling.queue.add(pod);
}

function podUpdated(scheduling: Scheduling, before: Pod, after: Pod): void {
  const { cache, queue } = scheduling;
  if (nodeNameOf(before) !== '') {
    cache.setPod(podInfoOf(after), nodeNameOf(after));
    for (const event of podChanges(before, after)) queue.moveAll({ event, before, after });
  } else if (nodeNameOf(after) !== '') {
    assignedPodAdded(scheduling, after);
    if (isResponsible(scheduling, before)) queue.delete(uidOf(before));
  } else if (isResponsible(scheduling, before)) pendingPodUpdated(scheduling, before, after);
}

function podDeleted(scheduling: Scheduling, pod: Pod): void {
  if (nodeNameOf(pod) !== '') {
    scheduling.cache.removePod(uidOf(pod));
    tellGone(scheduling, pod);
  } else if (isResponsible(scheduling, pod)) pendingPodDeleted(scheduling, pod);
}

function assignedPodAdded({ cache, queue }: Scheduling, pod: Pod): void {
  cache.setPod(podInfoOf(pod), nodeNameOf(pod));
  queue.moveAll({ event: { resource: 'Pod', action: 'Add' }, after: pod });
}

function pendingPodUpdated(scheduling: Scheduling, before: Pod, after: Pod): void {
  const { cache, queue } = scheduling;
  const events = podChanges(before, after);
  for (const event of events) if (event.action !== 'Update') queue.moveAll({ event, before, after });
  if (cache.isAssumed(uidOf(after))) {
    if (isDeleting(after) && !isDeleting(before)) assumedPodDeleted(scheduling, after);
    return;
  }
  queue.update(before, after, events);
  const nominated = nominatedNodeNameOf(before);
  if (nominated !== '' && nominated !== nominatedNodeNameOf(after)) yieldTo(scheduling, before);
}

function pendingPodDeleted(scheduling: Scheduling, pod: Pod): void {
  const { cache, queue } = scheduling;
  queue.delete(uidOf(pod));
  if (cache.isAssumed(uidOf(pod))) assumedPodDeleted(scheduling, pod);
  else if (nominatedNodeNameOf(pod) !== '') yieldTo(scheduling, pod);
}

/** Frees the node's resources at once when an assumed pod is deleted. The pod's binding still runs and will fail. */
function assumedPodDeleted(scheduling: Scheduling, pod: Pod): void {
  const { cache, waitingPods } = scheduling;
  const uid = uidOf(pod);
  const assumed = cache.getPod(uid)?.pod ?? pod;
  if (!waitingPods.reject(uid, '', 'removed')) cache.forget(uid);
  tellGone(scheduling, assumed);
}

const tellGone = ({ queue }: Scheduling, pod: Pod): void =>
  queue.moveAll({ event: { resource: 'Pod', action: 'Delete' }, before: pod });

/** Requeues pods of lower or equal priority that had made room for this nominated pod. */
function yieldTo({ queue }: Scheduling, pod: Pod): void {
  const { priority } = podInfoOf(pod);
  const change = { event: { resource: 'Pod', action: 'Delete' }, before: pod } as const;
  queue.moveAll(change, (other) => other.priority <= priority);
}
