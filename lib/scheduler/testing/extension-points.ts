import { decodedAs } from '#lib/api/testing.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { CycleState } from '../framework/cycle-state.ts';
import type { Action, ClusterEvent, EventResource, ObjectChange } from '../framework/events.ts';
import type { NodeScore, Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { podInfoOf } from '../framework/pod-info-of.ts';
import type { Outcome, Status } from '../framework/status.ts';
import { WATCHED, type WatchedName } from '../resources.ts';

/** The plugin's result for one node after PreFilter. `Skip` if PreFilter skips the plugin. */
export function filterOn(plugin: Plugin, pod: Pod, node: NodeInfo): Outcome {
  const [state, info] = [new CycleState(), podInfoOf(pod)];
  const { status, result } = plugin.preFilter?.(state, info, [node]) ?? {};
  if (status !== undefined) return status;
  if (result !== undefined && !result.nodeNames.has(node.name)) throw new Error(`${node.name} is not among the nodes`);
  return plugin.filter?.(state, info, node);
}

/** The scores of nodes, normalized if the plugin does that, or the status of PreScore. */
export function scoresOn(plugin: Plugin, pod: Pod, nodes: readonly NodeInfo[]): number[] | Status {
  const [state, info] = [new CycleState(), podInfoOf(pod)];
  const prepared = plugin.preScore?.(state, info, nodes);
  if (prepared !== undefined) return prepared;
  const scores = nodes.map((node): NodeScore => {
    const score = plugin.score?.(state, info, node);
    if (typeof score !== 'number') throw new Error(`${plugin.name} gives no score: ${JSON.stringify(score)}`);
    return { name: node.name, score };
  });
  plugin.normalizeScore?.(state, info, scores);
  return scores.map(({ score }) => score);
}

/** Whether the plugin's hint queues the pod on this change. Throws if the plugin did not register for it. */
export function isQueuedOn(
  plugin: Plugin,
  [resource, action]: readonly [EventResource, Action],
  pod: Pod,
  { before, after }: ObjectChange<JsonObject>,
): boolean {
  const registered: Registered | undefined = plugin
    .eventsToRegister?.()
    .find(({ event }) => event.resource === resource && event.actions.includes(action));
  if (registered === undefined) throw new Error(`${plugin.name} is not told of ${resource} ${action}`);
  const change = {
    ...(before === undefined ? {} : { before: decodedOf(resource, before) }),
    ...(after === undefined ? {} : { after: decodedOf(resource, after) }),
  };
  return registered.hint?.(pod, change) ?? true;
}

interface Registered {
  readonly event: ClusterEvent;
  hint?(pod: Pod, change: ObjectChange<JsonObject>): boolean;
}

const RESOURCES: { readonly [R in Exclude<EventResource, '*'>]: WatchedName } = {
  Pod: 'pods',
  Node: 'nodes',
  PersistentVolume: 'persistentvolumes',
  PersistentVolumeClaim: 'persistentvolumeclaims',
  StorageClass: 'storageclasses',
  CSINode: 'csinodes',
  CSIDriver: 'csidrivers',
  CSIStorageCapacity: 'csistoragecapacities',
  VolumeAttachment: 'volumeattachments',
  Service: 'services',
  ResourceClaim: 'resourceclaims',
  ResourceSlice: 'resourceslices',
  DeviceClass: 'deviceclasses',
};

/** An object with all fields that the decoder sets. */
const decodedOf = (resource: EventResource, object: JsonObject): JsonObject =>
  resource === '*' ? object : decodedAs<JsonObject>(WATCHED[RESOURCES[resource]].resource, object);
