import type { NodeCondition, NodeStatus } from '#lib/api/types/core.v1.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import type { Pressures } from '../eviction/thresholds.ts';

type Texts = readonly [reason: string, message: string];

/** Types of pressure in upstream's order, with the texts under pressure and without. */
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
/** Resources without which a node is not ready. */
const REQUIRED = ['cpu', 'memory', 'pods', 'ephemeral-storage'];

/** Writes the three conditions of pressure into a status. `now` is a metav1.Time. Reason and message change with the status alone. */
export function setPressureConditions(status: NodeStatus, pressures: Pressures, now: string): void {
  for (const [pressure, type, under, free] of PRESSURES) {
    const wanted = pressures[pressure] ? 'True' : 'False';
    const [reason, message] = pressures[pressure] ? under : free;
    const held = conditionOf(status, type);
    if (held?.status === wanted) held.lastHeartbeatTime = now;
    else put(status, { type, status: wanted, lastHeartbeatTime: now, lastTransitionTime: now, reason, message });
  }
}

/** Writes the condition Ready into a status, behind the others where it is new. `errors` are those of runtime, network and storage. */
export function setReadyCondition(status: NodeStatus, errors: readonly string[], now: string): void {
  const missing = REQUIRED.filter((name) => !Object.hasOwn(status.capacity ?? {}, name));
  const lacking = missing.length === 0 ? [] : [`missing node capacity for resources: ${missing.join(', ')}`];
  const fault = aggregateText([...errors, ...lacking]);
  const wanted = fault === '' ? 'True' : 'False';
  const held = conditionOf(status, 'Ready');
  put(status, {
    type: 'Ready',
    status: wanted,
    lastHeartbeatTime: now,
    lastTransitionTime: held?.status === wanted ? held.lastTransitionTime : now,
    reason: fault === '' ? 'KubeletReady' : 'KubeletNotReady',
    message: fault === '' ? 'kubelet is posting ready status' : fault,
  });
}

/** The network of a node, where the agent itself makes it. */
export interface NetworkState {
  /** Absent: pods of the node can be reached. */
  readonly fault?: string;
}

/** Writes the condition NetworkUnavailable into a status, in the words of upstream's route controller. */
export function setNetworkCondition(status: NodeStatus, { fault }: NetworkState, now: string): void {
  const wanted = fault === undefined ? 'False' : 'True';
  const held = conditionOf(status, 'NetworkUnavailable');
  put(status, {
    type: 'NetworkUnavailable',
    status: wanted,
    lastHeartbeatTime: now,
    lastTransitionTime: held?.status === wanted ? held.lastTransitionTime : now,
    reason: fault === undefined ? 'RouteCreated' : 'NoRouteCreated',
    message: fault ?? 'the node agent has made the network of the node',
  });
}

const conditionOf = (status: NodeStatus, wanted: string): NodeCondition | undefined =>
  status.conditions?.find(({ type }) => type === wanted);

/** In its place, or behind all others. */
function put(status: NodeStatus, condition: NodeCondition): void {
  const conditions = (status.conditions ??= []);
  const index = conditions.findIndex(({ type }) => type === condition.type);
  if (index < 0) conditions.push(condition);
  else conditions[index] = condition;
}
