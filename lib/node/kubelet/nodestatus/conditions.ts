import type { NodeCondition, NodeStatus } from '#lib/api/types/core.v1.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
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
    else put(status, { type, status: wanted, lastHeartbeatTime: now, lastTransitionTime: now, reason, message });
  }
}

/** Sets the condition Ready in a status, at the end if it is new. `errors` come from runtime, network and storage. */
export function setReadyCondition(status: NodeStatus, errors: readonly string[], now: string): void {
  const missing = REQUIRED.filter((name) => !Object.hasOwn(status.capacity ?? {}, name));
  const lacking = missing.length === 0 ? [] : [`missing node capacity for resources: ${missing.join(', ')}`];
  const fault = aggregateText([...errors, ...lacking]);
  const wanted = fault === '' ? 'True' : 'False';
  const held = findCondition(status.conditions, 'Ready');
  put(status, {
    type: 'Ready',
    status: wanted,
    lastHeartbeatTime: now,
    lastTransitionTime: held?.status === wanted ? held.lastTransitionTime : now,
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
  const held = findCondition(status.conditions, 'NetworkUnavailable');
  put(status, {
    type: 'NetworkUnavailable',
    status: wanted,
    lastHeartbeatTime: now,
    lastTransitionTime: held?.status === wanted ? held.lastTransitionTime : now,
    reason: fault === undefined ? 'RouteCreated' : 'NoRouteCreated',
    message: fault ?? 'the node agent has made the network of the node',
  });
}

/** Replaces the condition, or appends it. */
function put(status: NodeStatus, condition: NodeCondition): void {
  const conditions = (status.conditions ??= []);
  const index = conditions.findIndex(({ type }) => type === condition.type);
  if (index < 0) conditions.push(condition);
  else conditions[index] = condition;
}
