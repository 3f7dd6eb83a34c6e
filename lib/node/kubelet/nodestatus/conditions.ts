import type { NodeCondition, NodeStatus } from '#lib/api/types/core.v1.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { findCondition, updateCondition } from '#lib/machinery/conditions.ts';
import type { Pressures } from '../eviction/thresholds.ts';

type Texts = readonly [reason: string, message: string];

/** Pressure conditions in upstream's order, with the texts with and without pressure. */
const PRESSURES: readonly (readonly [keyof Pressures, type: string, under: Texts, free: Texts])[] = [
  [
    'memory',
    'MemoryPressure',
    ['KubeletHasInsufficientMemory', 'kubelet has insufficient memory available'],
    ['KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ],
  [
    'disk',
    'DiskPressure',
    ['KubeletHasDiskPressure', 'kubelet has disk pressure'],
    ['KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ],
  [
    'pid',
    'PIDPressure',
    ['KubeletHasInsufficientPID', 'kubelet has insufficient PID available'],
    ['KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ],
];
/** Resources that a ready node must have. */
const REQUIRED = ['cpu', 'memory', 'pods', 'ephemeral-storage'];

/** Sets the three pressure conditions in a status. `now` is a metav1.Time. Reason and message only change together with the status. */
export function setPressureConditions(status: NodeStatus, pressures: Pressures, now: string): void {
  for (const [pressure, type, under, free] of PRESSURES) {
    const wanted = pressures[pressure] ? 'True' : 'False';
    const [reason, message] = pressures[pressure] ? under : free;
    const held = findCondition(status.conditions, type);
    if (held?.status === wanted) held.lastHeartbeatTime = now;
    else set(status, { type, status: wanted, lastHeartbeatTime: now, lastTransitionTime: now, reason, message });
  }
}

/** Sets the condition Ready in a status, at the end if it is new. `errors` come from runtime, network and storage. */
export function setReadyCondition(status: NodeStatus, errors: readonly string[], now: string): void {
  const missing = REQUIRED.filter((name) => !Object.hasOwn(status.capacity ?? {}, name));
  const lacking = missing.length === 0 ? [] : [`missing node capacity for resources: ${missing.join(', ')}`];
  const fault = aggregateText([...errors, ...lacking]);
  const wanted = fault === '' ? 'True' : 'False';
  set(status, {
    type: 'Ready',
    status: wanted,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason: fault === '' ? 'KubeletReady' : 'KubeletNotReady',
    message: fault === '' ? 'kubelet is posting ready status' : fault,
  });
}

/** The state of a node's network, if the agent sets it up. */
export interface NetworkState {
  /** Absent if the node's pods are reachable. */
  readonly fault?: string;
}

/** Sets the condition NetworkUnavailable in a status, with the texts of upstream's route controller. */
export function setNetworkCondition(status: NodeStatus, { fault }: NetworkState, now: string): void {
  const wanted = fault === undefined ? 'False' : 'True';
  set(status, {
    type: 'NetworkUnavailable',
    status: wanted,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason: fault === undefined ? 'RouteCreated' : 'NoRouteCreated',
    message: fault ?? 'the node agent has made the network of the node',
  });
}

function set(status: NodeStatus, condition: NodeCondition): void {
  status.conditions = updateCondition(status.conditions, condition);
}
