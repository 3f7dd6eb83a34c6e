import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { Plugin } from '../../interface.ts';
import { podInfoOf } from '../../pod-info-of.ts';
import type { HostPort } from '../../pod-info.ts';
import { newStatus, SKIP } from '../../status.ts';

const ANY = '0.0.0.0';

const conflict = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === ANY || b.ip === ANY);

const collide = (some: readonly HostPort[], others: readonly HostPort[]): boolean =>
  some.some((one) => others.some((other) => conflict(one, other)));

const isPlaced = (pod: JsonObject): boolean =>
  text(objectAt(pod, 'spec'), 'nodeName') !== '' || text(objectAt(pod, 'status'), 'nominatedNodeName') !== '';

/** A port of the host is one pod's. */
export const nodePorts = (): Plugin => ({
  name: 'NodePorts',
  eventsToRegister: () => [
    {
      event: { resource: 'Pod', actions: ['Delete'] },
      hint: (pod, { before }) =>
        before !== undefined && isPlaced(before) && collide(podInfoOf(pod).hostPorts, podInfoOf(before).hostPorts),
    },
    { event: { resource: 'Node', actions: ['Add'] } },
  ],
  preFilter: (_state, { hostPorts }) => (hostPorts.length === 0 ? { status: SKIP } : {}),
  filter(_state, { hostPorts }, node) {
    for (const pod of node.pods.values())
      if (collide(hostPorts, pod.hostPorts))
        return newStatus('Unschedulable', "node(s) didn't have free ports for the requested pod ports");
    return undefined;
  },
});
