import { clusterEvent } from '../../events.ts';
import type { Plugin } from '../../interface.ts';
import type { NodeInfo } from '../../node-info.ts';
import { isPlaced } from '../../places.ts';
import type { HostPort } from '../../pod-info.ts';
import { podInfoOf } from '../../pod-info-of.ts';
import { newStatus, SKIP } from '../../status.ts';

const ANY = '0.0.0.0';

const conflict = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === ANY || b.ip === ANY);

const collide = (some: readonly HostPort[], others: readonly HostPort[]): boolean =>
  some.some((one) => others.some((other) => conflict(one, other)));

/** The reason of a refusal if a host port of the pod is taken. */
export const PORT_CONFLICT = "node(s) didn't have free ports for the requested pod ports";

/** Whether the host ports of a pod are free on a node. */
export const fitsPorts = (hostPorts: readonly HostPort[], { pods }: Pick<NodeInfo, 'pods'>): boolean =>
  pods.values().every((pod) => !collide(hostPorts, pod.hostPorts));

/** Schedules a pod to nodes on which its host ports are free. */
export const nodePorts = (): Plugin => ({
  name: 'NodePorts',
  eventsToRegister: () => [
    clusterEvent(
      'Pod',
      ['Delete'],
      (pod, { before }) =>
        before !== undefined && isPlaced(before) && collide(podInfoOf(pod).hostPorts, podInfoOf(before).hostPorts),
    ),
    clusterEvent('Node', ['Add']),
  ],
  preFilter: (_state, { hostPorts }) => (hostPorts.length === 0 ? { status: SKIP } : {}),
  sign: ({ hostPorts }) => hostPorts.map(({ ip, protocol, port }) => [ip, protocol, port]),
  filter: (_state, { hostPorts }, node) =>
    fitsPorts(hostPorts, node) ? undefined : newStatus('Unschedulable', PORT_CONFLICT),
});
