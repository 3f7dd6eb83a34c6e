import { podClaims, uses, volumesOf } from '#lib/component-helpers/storage/ephemeral/pod-claims.ts';
import { specOf } from '#lib/component-helpers/storage/volume/match.ts';
import { pluginOf } from '#lib/csi-translation/translate.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, has, integer, items, text } from '#lib/machinery/unstructured.ts';
import type { StateKey } from '../../cycle-state.ts';
import type { ClusterEventWithHint } from '../../events.ts';
import type { Handle, PluginFactory } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { PodInfo } from '../../pod-info.ts';
import { newStatus, SKIP, type Outcome, type Status } from '../../status.ts';
import { immutable, type ImmutableState } from '../shared/immutable-state.ts';
import { addVolumes, uniqueName, type Attached } from './attached-volumes.ts';

const EXCEEDED = 'node(s) exceed max volume count';

/** VolumeAttachments by node. */
const STATE: StateKey<ImmutableState<ReadonlyMap<string, readonly JsonObject[]>>> = {
  name: 'PreFilterNodeVolumeLimits',
};

const mayCount = (pod: JsonObject): boolean =>
  podClaims(pod).length > 0 || volumesOf(pod).some((volume) => pluginOf(volume) !== undefined);

/** No node gets more volumes of a driver than the driver says it can attach there. */
export const nodeVolumeLimits: PluginFactory<unknown> = (_, handle) => ({
  name: 'NodeVolumeLimits',
  eventsToRegister: () => EVENTS,
  preFilter(state, { pod }) {
    if (!mayCount(pod)) return { status: SKIP };
    const attachments = handle.lister('volumeattachments').list();
    state.write(STATE, immutable(Map.groupBy(attachments, (one) => text(specOf(one), 'nodeName'))));
    return {};
  },
  filter: (state, pod, node) => filter(handle, state.read(STATE)?.value.get(node.name) ?? [], pod, node),
});

function filter(handle: Handle, attachments: readonly JsonObject[], { pod }: PodInfo, node: NodeInfo): Outcome {
  const csiNode = handle.lister('csinodes').get('', node.name);
  const hasDrivers = csiNode !== undefined;
  const wanted: Attached = new Map();
  const refused = addVolumes(handle, pod, wanted, { hasDrivers, isNew: true });
  const limits = limitsOf(csiNode);
  if (refused !== undefined || wanted.size === 0 || limits.size === 0) return refused;
  const there = volumesOn(handle, attachments, node);
  if ('code' in there) return there;
  for (const name of there.byPods.keys()) wanted.delete(name);
  const [now, more] = [countByDriver(there.all), countByDriver(wanted)];
  const isFull = [...more].some(([driver, count]) => (now.get(driver) ?? 0) + count > (limits.get(driver) ?? Infinity));
  return isFull ? newStatus('Unschedulable', EXCEEDED) : undefined;
}

interface Volumes {
  readonly byPods: Attached;
  /** And those that are attached for whatever reason. */
  readonly all: Attached;
}

function volumesOn(handle: Handle, attachments: readonly JsonObject[], node: NodeInfo): Volumes | Status {
  const byPods: Attached = new Map();
  for (const { pod } of node.pods.values()) {
    const broken = addVolumes(handle, pod, byPods, { hasDrivers: true, isNew: false });
    if (broken !== undefined) return broken;
  }
  const all: Attached = new Map(byPods);
  for (const attachment of attachments) {
    const driver = text(specOf(attachment), 'attacher');
    const name = text(at(specOf(attachment), 'source'), 'persistentVolumeName');
    const volume = name === '' ? undefined : handle.lister('persistentvolumes').get('', name);
    const csi = volume && objectAt(specOf(volume), 'csi');
    if (driver === '' || csi === undefined) continue;
    all.set(uniqueName({ driver, volumeHandle: text(csi, 'volumeHandle') }), driver);
  }
  return { byPods, all };
}

function countByDriver(volumes: Attached): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const driver of volumes.values()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  return counts;
}

/** Drivers that have a limit on the node. */
function limitsOf(csiNode: JsonObject | undefined): ReadonlyMap<string, number> {
  const drivers = items(csiNode && specOf(csiNode), 'drivers');
  return new Map(
    drivers.flatMap((driver): [string, number][] => {
      const limit = integer(objectAt(driver, 'allocatable'), 'count');
      return limit === undefined ? [] : [[text(driver, 'name'), Number(limit)]];
    }),
  );
}

const isPlaced = (pod: JsonObject): boolean =>
  text(objectAt(pod, 'spec'), 'nodeName') !== '' || text(objectAt(pod, 'status'), 'nominatedNodeName') !== '';

const EVENTS: readonly ClusterEventWithHint[] = [
  { event: { resource: 'CSINode', actions: ['Add'] } },
  {
    event: { resource: 'CSINode', actions: ['Update'] },
    hint(_, { before, after }) {
      const was = limitsOf(before);
      return [...limitsOf(after)].some(([driver, limit]) => limit > (was.get(driver) ?? 0));
    },
  },
  {
    event: { resource: 'Pod', actions: ['Delete'] },
    hint: (_, { before }) => before !== undefined && isPlaced(before) && mayCount(before),
  },
  {
    event: { resource: 'PersistentVolumeClaim', actions: ['Add'] },
    hint: (pod, { after }) => after !== undefined && uses(pod, after),
  },
  {
    event: { resource: 'VolumeAttachment', actions: ['Delete'] },
    hint: (pod, { before }) =>
      volumesOf(pod).some(
        (volume) =>
          has(volume, 'persistentVolumeClaim') ||
          (before !== undefined && pluginOf(volume)?.driver === text(specOf(before), 'attacher')),
      ),
  },
];
