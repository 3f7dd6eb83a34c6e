import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { PodSandboxState, type PodSandboxStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimeService } from '#lib/node/cri-api/services.ts';
import type { RunningPod, RuntimeContainerStatus, RuntimePodStatus } from '../container/runtime.ts';
import { convertContainerStatus, type StatusPorts } from './container-status.ts';

/** Maximum number of concurrent status requests, because the runtime determines how many statuses exist. */
const AT_ONCE = 32;

/** The ports for the status of a pod. */
export interface PodStatusPorts extends StatusPorts {
  readonly runtime: RuntimeService;
}

/**
 * The statuses of a pod's sandboxes and containers. Skips those that were removed since the listing (upstream: GetPodStatus). `timestamp`
 * is the time of the listing in milliseconds since 1970: the status is no older. Throws RpcError if the runtime fails.
 */
export async function podStatusOf(
  ports: PodStatusPorts,
  pod: RunningPod,
  timestamp: number,
): Promise<RuntimePodStatus> {
  const { uid, name, namespace } = pod;
  const [sandboxes, containers] = await Promise.all([
    inGroups(pod.sandboxes, ({ id }) => unlessGone(ports.runtime.podSandboxStatus({ podSandboxId: id }))),
    inGroups(pod.containers, ({ id }) => unlessGone(ports.runtime.containerStatus({ containerId: id }))),
  ]);
  const sandboxStatuses = sandboxes.flatMap((answer) => {
    if (answer === 'gone') return [];
    if (answer.status === undefined) throw new Error('pod sandbox status is nil');
    return [answer.status];
  });
  const newest = sandboxStatuses.find(({ id }) => id === pod.sandboxes[0]?.id);
  const active = newest?.state === PodSandboxState.SANDBOX_READY ? newest : undefined;
  const containerStatuses: RuntimeContainerStatus[] = [];
  const activeContainerStatuses: RuntimeContainerStatus[] = [];
  for (const [index, answer] of containers.entries()) {
    if (answer === 'gone') continue;
    if (answer.status === undefined) throw new Error('container status is nil');
    const converted = await convertContainerStatus(ports, answer.status);
    containerStatuses.push(converted);
    if (pod.containers[index]?.podSandboxID === active?.id) activeContainerStatuses.push(converted);
  }
  return {
    uid,
    name,
    namespace,
    ips: active === undefined ? [] : podSandboxIPs(active),
    containerStatuses: containerStatuses.sort(newestFirst),
    activeContainerStatuses: activeContainerStatuses.sort(newestFirst),
    sandboxStatuses,
    timestamp,
  };
}

const newestFirst = (a: RuntimeContainerStatus, b: RuntimeContainerStatus): number =>
  b.createdAt - a.createdAt || b.restartCount - a.restartCount;

async function inGroups<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    answers.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(ask))));
  return answers;
}

async function unlessGone<T>(answer: Promise<T>): Promise<T | 'gone'> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RpcError && error.code === 'NotFound') return 'gone';
    throw error;
  }
}

/** The addresses of a sandbox. Empty if one of them is invalid (upstream: determinePodSandboxIPs). */
export function podSandboxIPs({ network }: PodSandboxStatus): string[] {
  const all = [network?.ip ?? '', ...(network?.additionalIps ?? []).map(({ ip }) => ip)];
  const [primary = '', ...additional] = all;
  const ips = primary === '' ? additional : all;
  return ips.every((ip) => parseIPSloppy(ip) !== undefined) ? ips : [];
}
