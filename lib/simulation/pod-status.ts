import type { ContainerStatus, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { asObject } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { defined } from '#lib/machinery/defined.ts';
import { generationOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { containersIn } from './container-status.ts';
import { type Phase, type Statuses, statusOf } from './phase.ts';
import { podConditions } from './pod-conditions.ts';

/** The addresses of the pod's node and of the pod. */
export interface PodAddresses {
  readonly hostIPs: readonly string[];
  /** Empty if no address is available now. */
  readonly podIPs: readonly string[];
}

/** The state of the pod's containers. */
export interface ContainersState {
  readonly statuses: Statuses;
  readonly phase: Phase;
  /** Whether the pod got its network. */
  readonly hasNetwork: boolean;
  /** Whether the whole pod has ended, including its network. */
  readonly isEnd: boolean;
  readonly now: number;
}

/** The pod's whole status. Keeps the fields of other writers. Drops reason and message when the phase that they explain changes. */
export function podStatus(pod: Pod, { hostIPs, podIPs }: PodAddresses, seen: ContainersState): PodStatus {
  const { statuses, phase, hasNetwork, isEnd, now } = seen;
  const { status: held } = pod;
  const { reason: _reason, message: _message, ...rest } = held;
  const before = phase === held.phase ? held : rest;
  const isOnHost = pod.spec.hostNetwork === true;
  const ips = (before.podIP ?? '') === '' && (hasNetwork || isOnHost) ? podIPs : undefined;
  return {
    ...before,
    phase,
    observedGeneration: generationOf(pod),
    conditions: podConditions({ pod, statuses, phase, hasSandbox: hasNetwork && !isEnd, now }),
    startTime: before.startTime || timeOf(now),
    hostIP: hostIPs[0] ?? '',
    hostIPs: hostIPs.map((ip) => ({ ip })),
    ...(ips === undefined ? {} : { podIP: ips[0] ?? '', podIPs: ips.map((ip) => ({ ip })) }),
    ...defined({
      initContainerStatuses: unlessEmpty(listOf(pod, 'initContainers', statuses)),
      containerStatuses: unlessEmpty(listOf(pod, 'containers', statuses).sort(byName)),
      ephemeralContainerStatuses: unlessEmpty(listOf(pod, 'ephemeralContainers', statuses).sort(byName)),
    }),
    ...resourcesOf(pod),
  };
}

const unlessEmpty = <T>(list: T[]): T[] | undefined => (list.length === 0 ? undefined : list);

function listOf(
  pod: Pod,
  list: 'initContainers' | 'containers' | 'ephemeralContainers',
  statuses: Statuses,
): ContainerStatus[] {
  return containersIn(pod, list)
    .map((container) => statusOf(statuses, container))
    .filter((status) => status !== undefined);
}

const byName = (a: ContainerStatus, b: ContainerStatus): number => (a.name < b.name ? -1 : 1);

/** The resources allocated to the pod: everything that it requests, including after a resize. */
function resourcesOf(pod: Pod): Pick<PodStatus, 'allocatedResources' | 'resources'> {
  const asked = { ...pod, status: {} };
  const requests = asObject(podResources(asked, 'requests'));
  const limits = asObject(podResources(asked, 'limits'));
  return {
    allocatedResources: requests,
    resources: { requests, ...(Object.keys(limits).length === 0 ? {} : { limits }) },
  };
}
