import type { Pod } from '#lib/api/types/core.v1.ts';
import type { CSINode, VolumeAttachment } from '#lib/api/types/storage.v1.ts';
import { podClaims, uses } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { pluginOf } from '#lib/helpers/csi-translation/translate.ts';
import type { StateKey } from '../../cycle-state.ts';
import { type ClusterEventWithHint, clusterEvent } from '../../events.ts';
import type { Handle, PluginFactory } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import { isPlaced } from '../../places.ts';
import type { PodInfo } from '../../pod-info.ts';
import { newStatus, type Outcome, SKIP, type Status } from '../../status.ts';
import { type ImmutableState, immutable } from '../shared/immutable-state.ts';
import { type Attached, addVolumes, uniqueName } from './attached-volumes.ts';

const EXCEEDED = 'node(s) exceed max volume count';

/** The key of the VolumeAttachments by node. */
const STATE: StateKey<ImmutableState<ReadonlyMap<string, readonly VolumeAttachment[]>>> = {
  name: 'PreFilterNodeVolumeLimits',
};

const mayCount = (pod: Pod): boolean =>
  podClaims(pod).length > 0 || (pod.spec.volumes ?? []).some((volume) => pluginOf(volume) !== undefined);

/** Rejects nodes at the limit of volumes that a driver can attach. */
export const nodeVolumeLimits: PluginFactory<unknown> = (_, handle) => ({
  name: 'NodeVolumeLimits',
  eventsToRegister: () => EVENTS,
  preFilter(state, { pod }) {
    if (!mayCount(pod)) return { status: SKIP };
    const attachments = handle.lister('volumeattachments').list();
    state.write(STATE, immutable(Map.groupBy(attachments, ({ spec }) => spec.nodeName)));
    return {};
  },
  filter: (state, pod, node) => filter(handle, state.read(STATE)?.value.get(node.name) ?? [], pod, node),
});

function filter(handle: Handle, attachments: readonly VolumeAttachment[], { pod }: PodInfo, node: NodeInfo): Outcome {
  const csiNode = handle.lister('csinodes').get('', node.name);
  const hasDrivers = csiNode !== undefined;
  const newVolumes: Attached = new Map();
  const refused = addVolumes(handle, pod, newVolumes, { hasDrivers, isNew: true });
  const limits = limitsOf(csiNode);
  if (refused !== undefined || newVolumes.size === 0 || limits.size === 0) return refused;
  const there = volumesOn(handle, attachments, node);
  if ('code' in there) return there;
  for (const name of there.byPods.keys()) newVolumes.delete(name);
  const [now, more] = [countByDriver(there.all), countByDriver(newVolumes)];
  const isFull = [...more].some(([driver, count]) => (now.get(driver) ?? 0) + count > (limits.get(driver) ?? Infinity));
  return isFull ? newStatus('Unschedulable', EXCEEDED) : undefined;
}

interface Volumes {
  readonly byPods: Attached;
  /** The volumes of pods and all other attached volumes. */
  readonly all: Attached;
}

function volumesOn(handle: Handle, attachments: readonly VolumeAttachment[], node: NodeInfo): Volumes | Status {
  const byPods: Attached = new Map();
  for (const { pod } of node.pods.values()) {
    const broken = addVolumes(handle, pod, byPods, { hasDrivers: true, isNew: false });
    if (broken !== undefined) return broken;
  }
  const all: Attached = new Map(byPods);
  for (const { spec } of attachments) {
    const { attacher: driver, source } = spec;
    const { persistentVolumeName: name = '' } = source;
    const csi = name === '' ? undefined : handle.lister('persistentvolumes').get('', name)?.spec.csi;
    if (driver === '' || csi === undefined) continue;
    all.set(uniqueName({ driver, volumeHandle: csi.volumeHandle }), driver);
  }
  return { byPods, all };
}

function countByDriver(volumes: Attached): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const driver of volumes.values()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  return counts;
}

/** The volume limits on the node by driver, without unlimited drivers. */
function limitsOf(csiNode: CSINode | undefined): ReadonlyMap<string, number> {
  const drivers = csiNode?.spec.drivers ?? [];
  return new Map(
    drivers.flatMap(({ name, allocatable }): [string, number][] =>
      allocatable?.count === undefined ? [] : [[name, allocatable.count]],
    ),
  );
}

const EVENTS: readonly ClusterEventWithHint[] = [
  clusterEvent('CSINode', ['Add']),
  clusterEvent('CSINode', ['Update'], (_, { before, after }) => {
    const was = limitsOf(before);
    return [...limitsOf(after)].some(([driver, limit]) => limit > (was.get(driver) ?? 0));
  }),
  clusterEvent('Pod', ['Delete'], (_, { before }) => before !== undefined && isPlaced(before) && mayCount(before)),
  clusterEvent('PersistentVolumeClaim', ['Add'], (pod, { after }) => after !== undefined && uses(pod, after)),
  clusterEvent('VolumeAttachment', ['Delete'], ({ spec: { volumes = [] } }, { before }) =>
    volumes.some(
      (volume) =>
        volume.persistentVolumeClaim !== undefined ||
        (before !== undefined && pluginOf(volume)?.driver === before.spec.attacher),
    ),
  ),
];
