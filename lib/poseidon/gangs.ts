import type { Client } from '#lib/client/client.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { at, integer } from '#lib/machinery/unstructured.ts';
import type { QueuedPod } from '#lib/scheduler/backend/queue/queued-pod.ts';
import type { NodeInfo } from '#lib/scheduler/framework/node-info.ts';
import type { PodInfo } from '#lib/scheduler/framework/pod-info.ts';

/** The label that names the PodGroup of a pod, in the pod's namespace: that of scheduler-plugins' coscheduling. */
export const POD_GROUP_LABEL = 'scheduling.x-k8s.io/pod-group';
/** The resource of PodGroups. */
const POD_GROUPS = { group: 'scheduling.x-k8s.io', version: 'v1alpha1', resource: 'podgroups' };

/** Pods that are placed together or not at all, until `minMember` of them have nodes. */
export interface Gang {
  /** `NAMESPACE/NAME` of its PodGroup. */
  readonly key: string;
  readonly members: readonly QueuedPod[];
  /** The number of members that must be placed in this round. */
  readonly needed: number;
  /** The highest priority of its members. */
  readonly priority: number;
}

/** The ports of `gangsOf`. */
export interface GangPorts {
  readonly client: Pick<Client, 'get'>;
  reportFault(error: unknown): void;
}

/** The gangs of a round, and the pods whose PodGroup does not exist. */
export interface Gangs {
  /** The gangs that still need members, by key. */
  readonly needy: ReadonlyMap<string, Gang>;
  /** Pods that name a PodGroup that does not exist. */
  readonly orphans: readonly QueuedPod[];
}

/** The key of the pod's PodGroup, `NAMESPACE/NAME`; undefined if it names none. */
export function gangOf({ namespace, labels }: PodInfo): string | undefined {
  const name = labels[POD_GROUP_LABEL] ?? '';
  return name === '' ? undefined : `${namespace}/${name}`;
}

/** Reads the PodGroups of the pods, and counts their members that have nodes. A group that cannot be read counts as absent. */
export async function gangsOf(
  { client, reportFault }: GangPorts,
  pods: readonly QueuedPod[],
  nodes: readonly NodeInfo[],
): Promise<Gangs> {
  const groups = Map.groupBy(pods, ({ podInfo }) => gangOf(podInfo));
  groups.delete(undefined);
  if (groups.size === 0) return { needy: new Map(), orphans: [] };
  const placed = placedMembers(nodes);
  const needy = new Map<string, Gang>();
  const orphans: QueuedPod[] = [];
  for (const [key = '', members] of groups) {
    const minMember = await minMemberOf(client, key).catch(reportFault);
    if (typeof minMember !== 'number') orphans.push(...members);
    else if (minMember > (placed.get(key) ?? 0)) {
      const priority = Math.max(...members.map(({ podInfo }) => podInfo.priority));
      needy.set(key, { key, members, needed: minMember - (placed.get(key) ?? 0), priority });
    }
  }
  return { needy, orphans };
}

function placedMembers(nodes: readonly NodeInfo[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { pods } of nodes)
    for (const pod of pods.values()) {
      const key = gangOf(pod);
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return counts;
}

/** The `spec.minMember` of a PodGroup, at least 1; undefined if the group does not exist. */
async function minMemberOf(client: Pick<Client, 'get'>, key: string): Promise<number | undefined> {
  const [namespace = '', name = ''] = key.split('/');
  const group = await client.get({ resource: POD_GROUPS, namespace, name }).catch(ignoreNotFound);
  return group === undefined ? undefined : Math.max(1, Number(integer(at(group, 'spec'), 'minMember') ?? 1));
}

/**
 * The gang to withdraw from a flow: of those that it places too few members of, the one of lowest priority. Undefined if every gang is
 * complete. `placedOf` returns the number of members that the flow places.
 */
export function gangToWithdraw(gangs: Iterable<Gang>, placedOf: (gang: Gang) => number): Gang | undefined {
  let lowest: Gang | undefined;
  for (const gang of gangs)
    if (placedOf(gang) < gang.needed && (lowest === undefined || gang.priority <= lowest.priority)) lowest = gang;
  return lowest;
}

/** The reason in the event of a withdrawn gang's member. `placed` is the number of members that the flow found nodes for. */
export const withdrawnMessage = ({ key, needed, members }: Gang, placed: number): string =>
  members.length < needed
    ? `pod group ${key} needs ${needed} more pods, and ${members.length} ${members.length === 1 ? 'is' : 'are'} waiting`
    : `pod group ${key} needs nodes for ${needed} pods at once, and ${Math.min(placed, needed - 1)} of them have one`;

/** The reason in the event of a pod whose PodGroup does not exist. */
export const orphanMessage = (pod: PodInfo): string => `pod group ${gangOf(pod)} does not exist`;
