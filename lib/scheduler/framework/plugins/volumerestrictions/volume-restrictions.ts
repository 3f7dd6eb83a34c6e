import type { Pod } from '#lib/api/types/core.v1.ts';
import { namedClaims, names } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { namespaceOf } from '#lib/machinery/meta.ts';
import type { CycleState, StateData, StateKey } from '../../cycle-state.ts';
import { type ClusterEventWithHint, clusterEvent } from '../../events.ts';
import type { Handle, PluginFactory, PreFiltered } from '../../interface.ts';
import type { PodInfo } from '../../pod-info.ts';
import { newStatus, type Outcome, SKIP } from '../../status.ts';
import { conflict, needsCheck } from './volume-conflict.ts';

const DISK_CONFLICT = 'node(s) had no available disk';
const IN_USE =
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod';

/** The ReadWriteOncePod claims of the pod and the number of other pods that use them. */
class Exclusive implements StateData {
  readonly claims: ReadonlySet<string>;
  users: number;

  constructor(claims: ReadonlySet<string>, users: number) {
    this.claims = claims;
    this.users = users;
  }

  count(pod: Pod, sign: 1 | -1): Outcome {
    this.users += sign * namedClaims(pod).filter((name) => this.claims.has(name)).length;
    return undefined;
  }

  clone(): Exclusive {
    return new Exclusive(this.claims, this.users);
  }
}

const STATE: StateKey<Exclusive> = { name: 'PreFilterVolumeRestrictions' };

/** Rejects nodes on which the pod would share a disk or claim that cannot be shared. */
export const volumeRestrictions: PluginFactory<unknown> = (_, handle) => ({
  name: 'VolumeRestrictions',
  eventsToRegister: () => EVENTS,
  preFilter: (state, pod) => preFilter(handle, state, pod),
  preFilterExtensions: {
    addPod: (state, _pod, added) => state.read(STATE)?.count(added.pod, 1),
    removePod: (state, _pod, removed) => state.read(STATE)?.count(removed.pod, -1),
  },
  filter(state, { pod }, node) {
    for (const other of node.pods.values())
      if (conflict(pod, other.pod)) return newStatus('Unschedulable', DISK_CONFLICT);
    return (state.read(STATE)?.users ?? 0) > 0 ? newStatus('Unschedulable', IN_USE) : undefined;
  },
});

function preFilter(handle: Handle, state: CycleState, { pod, namespace }: PodInfo): PreFiltered {
  const lister = handle.lister('persistentvolumeclaims');
  const exclusive = new Set<string>();
  for (const name of namedClaims(pod)) {
    const claim = lister.get(namespace, name);
    if (claim === undefined)
      return { status: newStatus('UnschedulableAndUnresolvable', `persistentvolumeclaim "${name}" not found`) };
    if (claim.spec.accessModes?.includes('ReadWriteOncePod')) exclusive.add(name);
  }
  const users = [...exclusive].filter((name) => isUsed(handle, `${namespace}/${name}`)).length;
  if (users === 0 && !pod.spec.volumes?.some(needsCheck)) return { status: SKIP };
  state.write(STATE, new Exclusive(exclusive, users));
  return {};
}

const isUsed = (handle: Handle, claim: string): boolean =>
  handle.snapshot().nodes.some(({ claimUsers }) => claimUsers.has(claim));

const EVENTS: readonly ClusterEventWithHint[] = [
  clusterEvent('Pod', ['Delete'], (pod, { before }) => {
    if (before === undefined || namespaceOf(before) !== namespaceOf(pod)) return false;
    const claims = new Set(namedClaims(pod));
    return conflict(pod, before) || namedClaims(before).some((name) => claims.has(name));
  }),
  clusterEvent('Node', ['Add']),
  clusterEvent('PersistentVolumeClaim', ['Add'], (pod, { after }) => after !== undefined && names(pod, after)),
];
