import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { namedClaims, names } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { classOf } from '#lib/helpers/component-helpers/storage/volume/match.ts';
import type { StateKey } from '../../cycle-state.ts';
import { type ClusterEventWithHint, clusterEvent } from '../../events.ts';
import type { Handle, PluginFactory } from '../../interface.ts';
import type { PodInfo } from '../../pod-info.ts';
import { newStatus, SKIP, type Status } from '../../status.ts';
import { type ImmutableState, immutable } from '../shared/immutable-state.ts';
import { allows, isZoned, sameTopologies, topologiesOf, type VolumeTopology } from './topology.ts';

const CONFLICT = 'node(s) had no available volume zone';

const STATE: StateKey<ImmutableState<readonly VolumeTopology[]>> = { name: 'PreFilterVolumeZone' };

/** Restricts a volume to the zones or regions in its labels. */
export const volumeZone: PluginFactory<unknown> = (_, handle) => ({
  name: 'VolumeZone',
  eventsToRegister: () => EVENTS,
  preFilter(state, pod) {
    const found = topologiesOfPod(handle, pod);
    if ('code' in found) return { status: found };
    if (found.length === 0) return { status: SKIP };
    state.write(STATE, immutable(found));
    return {};
  },
  filter(state, _pod, { labels }) {
    const topologies = state.read(STATE)?.value ?? [];
    if (!isZoned(labels) || topologies.every((one) => allows(one, labels))) return undefined;
    return newStatus('UnschedulableAndUnresolvable', CONFLICT);
  },
});

const refused = (reason: string): Status => newStatus('UnschedulableAndUnresolvable', reason);

function topologiesOfPod(handle: Handle, { pod, namespace }: PodInfo): readonly VolumeTopology[] | Status {
  const found: VolumeTopology[] = [];
  for (const name of namedClaims(pod)) {
    if (name === '') return refused('PersistentVolumeClaim had no name');
    const claim = handle.lister('persistentvolumeclaims').get(namespace, name);
    if (claim === undefined) return refused(`persistentvolumeclaim "${name}" not found`);
    const { volumeName: volume = '' } = claim.spec;
    const topologies = volume === '' ? ofUnbound(handle, claim) : ofVolume(handle, volume);
    if ('code' in topologies) return topologies;
    found.push(...topologies);
  }
  return found;
}

function ofVolume(handle: Handle, name: string): readonly VolumeTopology[] | Status {
  const volume = handle.lister('persistentvolumes').get('', name);
  return volume === undefined ? refused(`persistentvolume "${name}" not found`) : topologiesOf(volume);
}

/** An unbound claim restricts no node if it is bound after the node is chosen. Any other claim should already be bound. */
function ofUnbound(handle: Handle, claim: PersistentVolumeClaim): readonly VolumeTopology[] | Status {
  const name = classOf(claim);
  if (name === '') return refused('PersistentVolumeClaim had no pv name and storageClass name');
  const found = handle.lister('storageclasses').get('', name);
  if (found === undefined) return refused(`storageclass.storage.k8s.io "${name}" not found`);
  const { volumeBindingMode: mode } = found;
  if (mode === undefined) return refused(`VolumeBindingMode not set for StorageClass "${name}"`);
  return mode === 'WaitForFirstConsumer' ? [] : refused('PersistentVolume had no name');
}

const EVENTS: readonly ClusterEventWithHint[] = [
  clusterEvent('StorageClass', ['Add'], (_, { after }) => after?.volumeBindingMode === 'WaitForFirstConsumer'),
  clusterEvent('Node', ['Add', 'UpdateNodeLabel']),
  clusterEvent(
    'PersistentVolumeClaim',
    ['Add', 'Update'],
    (pod, { after }) => after !== undefined && names(pod, after),
  ),
  clusterEvent(
    'PersistentVolume',
    ['Add', 'Update'],
    (_, { before, after }) =>
      before === undefined || after === undefined || !sameTopologies(topologiesOf(before), topologiesOf(after)),
  ),
];
