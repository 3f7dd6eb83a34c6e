import type { Node, NodeCondition, NodeStatus } from '#lib/api/types/core.v1.ts';
import type { Quantity } from '#lib/api/types/scalars.ts';
import { SIMULATED } from '#lib/helpers/component-helpers/node/simulated.ts';
import { findCondition, transitioned } from '#lib/machinery/conditions.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { GIT_VERSION } from '#lib/server/endpoints/version.ts';
import { millisecondsOf } from './container-status.ts';

/** The interval in ms at which a node reports an unchanged status: the kubelet's nodeStatusReportFrequency. */
const REPORT = 5 * 60_000;
/** The maximum number of nodes. Each has its own /24 of 10.244.0.0/14 for pod addresses. */
export const MAX_NODES = 1024;

const AMOUNTS: Record<string, Quantity> = { cpu: '32', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '110' };

/** Type, status, reason and message of each condition, as reported by the kubelet of a healthy node. */
const CONDITIONS = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

/** The names of `count` simulated nodes, at most MAX_NODES. */
export const nodeNames = (count: number): string[] =>
  Array.from({ length: Math.min(count, MAX_NODES) }, (_, index) => `simulated-${index}`);

/** A Node as its kubelet registers it. Set `hasOwnRange` if no controller allocates its pod addresses. */
export function newNode(index: number, { hasOwnRange, now }: { hasOwnRange: boolean; now: number }): JsonObject {
  const name = `simulated-${index}`;
  const system = { os: 'linux', arch: 'amd64' };
  const labels = Object.entries(system).flatMap(([key, value]) => [
    [`beta.kubernetes.io/${key}`, value],
    [`kubernetes.io/${key}`, value],
  ]);
  const podCIDR = `10.${244 + (index >> 8)}.${index & 255}.0/24`;
  return {
    metadata: { name, labels: { ...Object.fromEntries(labels), 'kubernetes.io/hostname': name, [SIMULATED]: 'true' } },
    spec: hasOwnRange ? { podCIDR, podCIDRs: [podCIDR] } : {},
    status: statusOf([], index, now),
  };
}

/**
 * The status to report now. Undefined if it was reported within five minutes. Reports at once if another client has changed a condition
 * because the node was silent.
 */
export function reportOf({ status }: Node, index: number, now: number): NodeStatus | undefined {
  const { conditions: held = [] } = status;
  const isChanged = CONDITIONS.some(([type, healthy]) => findCondition(held, type)?.status !== healthy);
  const reported = millisecondsOf(findCondition(held, 'Ready')?.lastHeartbeatTime);
  const isDue = now - reported >= REPORT || reported > now;
  return isChanged || isDue ? { ...status, ...statusOf(held, index, now) } : undefined;
}

type Report = Pick<NodeStatus, 'capacity' | 'allocatable' | 'conditions' | 'addresses' | 'nodeInfo'>;

function statusOf(held: readonly NodeCondition[], index: number, now: number): Report {
  const name = `simulated-${index}`;
  const own = CONDITIONS.map(([type, status, reason, message]): NodeCondition => {
    const times = { lastHeartbeatTime: timeOf(now), lastTransitionTime: timeOf(now) };
    return transitioned<NodeCondition>({ type, status, reason, message, ...times }, findCondition(held, type));
  });
  const others = held.filter((one) => !CONDITIONS.some(([type]) => type === one.type));
  const host = index + 2;
  return {
    capacity: AMOUNTS,
    allocatable: AMOUNTS,
    conditions: [...others, ...own],
    addresses: [
      { type: 'InternalIP', address: `172.18.${host >> 8}.${host & 255}` },
      { type: 'Hostname', address: name },
    ],
    nodeInfo: {
      machineID: name,
      systemUUID: name,
      bootID: name,
      kernelVersion: 'simulated',
      osImage: 'simulated',
      containerRuntimeVersion: `simulated://${GIT_VERSION.slice(1)}`,
      kubeletVersion: GIT_VERSION,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
}
