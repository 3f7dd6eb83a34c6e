import { podResources } from '#lib/component-helpers/resource/pod-resources.ts';
import { timeOf } from '#lib/controllers/workload/conditions.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf } from '#lib/machinery/meta.ts';
import { flag, text } from '#lib/machinery/unstructured.ts';
import { asObject } from '#lib/component-helpers/resource/resource-list.ts';
import { containersIn } from './container-status.ts';
import { statusOf, type Phase, type Statuses } from './phase.ts';
import { podConditions } from './pod-conditions.ts';

/** Where the pod runs: addresses of the node, and those that it has for the pod. */
export interface PodAddresses {
  readonly hostIPs: readonly string[];
  /** Empty: none is to be had now. */
  readonly podIPs: readonly string[];
}

/** The state of the pod's containers. */
export interface Seen {
  readonly statuses: Statuses;
  readonly phase: Phase;
  /** Whether the pod got its network. */
  readonly hasNetwork: boolean;
  /** Whether all of it has ended, the network too. */
  readonly isEnd: boolean;
  readonly now: number;
}

/** The pod's whole status. What others said in it stays; a reason and a message go with the phase that they explain. */
export function podStatus(pod: JsonObject, { hostIPs, podIPs }: PodAddresses, seen: Seen): JsonObject {
  const { statuses, phase, hasNetwork, isEnd, now } = seen;
  const held = objectAt(pod, 'status') ?? {};
  const { reason: _reason, message: _message, ...rest } = held;
  const before = phase === text(held, 'phase') ? held : rest;
  const isOnHost = flag(objectAt(pod, 'spec'), 'hostNetwork') === true;
  const ips = text(before, 'podIP') === '' && (hasNetwork || isOnHost) ? podIPs : undefined;
  const lists = {
    initContainerStatuses: listOf(pod, 'initContainers', statuses),
    containerStatuses: listOf(pod, 'containers', statuses).sort(byName),
    ephemeralContainerStatuses: listOf(pod, 'ephemeralContainers', statuses).sort(byName),
  };
  return {
    ...before,
    phase,
    observedGeneration: generationOf(pod),
    conditions: podConditions({ pod, statuses, phase, hasSandbox: hasNetwork && !isEnd, now }),
    startTime: text(before, 'startTime') || timeOf(now),
    hostIP: hostIPs[0] ?? '',
    hostIPs: hostIPs.map((ip) => ({ ip })),
    ...(ips === undefined ? {} : { podIP: ips[0] ?? '', podIPs: ips.map((ip) => ({ ip })) }),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    ...resourcesOf(pod),
  };
}

function listOf(
  pod: JsonObject,
  list: 'initContainers' | 'containers' | 'ephemeralContainers',
  statuses: Statuses,
): JsonObject[] {
  return containersIn(pod, list)
    .map((container) => statusOf(statuses, container))
    .filter((status) => status !== undefined);
}

const byName = (a: JsonObject, b: JsonObject): number => (text(a, 'name') < text(b, 'name') ? -1 : 1);

/** The resources that the node gives the pod: all that it asks for, also after a resize. */
function resourcesOf(pod: JsonObject): JsonObject {
  const asked = { ...pod, status: {} };
  const requests = asObject(podResources(asked, 'requests'));
  const limits = asObject(podResources(asked, 'limits'));
  return {
    allocatedResources: requests,
    resources: { requests, ...(Object.keys(limits).length === 0 ? {} : { limits }) },
  };
}
