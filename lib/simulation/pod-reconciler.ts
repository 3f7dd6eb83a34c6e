import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { requeueAfter } from '#lib/client/controller/requeue-after.ts';
import { ignore, ignoreNotFound } from '#lib/client/ignore.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { recordOnce } from '#lib/client/record/record-event.ts';
import { podCIDRsOf } from '#lib/helpers/component-helpers/node/pod-cidrs.ts';
import { isSimulated } from '#lib/helpers/component-helpers/node/simulated.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { decide } from './decide.ts';
import { eventsOf } from './events.ts';
import { nodeRef } from './node-reconciler.ts';
import type { SimulationOptions } from './options.ts';
import type { PodAddresses } from './pod-status.ts';
import { isOnHost, PodsOnNodes } from './pods-on-nodes.ts';

/** Runs the pods of simulated nodes, each with its node's identity. Ignores pods of other nodes, and of a Node that has lost its label. */
export function simulatedPods({ names, clock, clientOf }: SimulationOptions): Reconciler {
  const known = new PodsOnNodes(names);
  const events = new EventCorrelator(clock);
  return {
    name: 'simulated-kubelet',
    keys(change) {
      const key = known.note(change);
      return key === undefined ? [] : [key];
    },
    async reconcile(key): Promise<Result> {
      const name = known.nodeOf(key);
      if (name === undefined) return undefined;
      const client = clientset(clientOf(name));
      const ref = { resource: PODS, ...splitKey(key) };
      const [pod, node] = await Promise.all([
        client.get(ref).catch(ignore('Forbidden')), // a deleted pod no longer relates to the node
        client.get(nodeRef(name), { cached: true }),
      ]);
      if (pod === undefined || nodeNameOf(pod) !== name) return undefined;
      if (node === undefined || !isSimulated(node)) return undefined;
      const { status, isOver, lookIn } = decide(pod, placeOf(pod, node, known), clock.now());
      if (status !== undefined) await client.update(ref, { ...pod, status }, 'status').catch(ignoreNotFound);
      const told = status === undefined ? [] : eventsOf(pod, { ...pod, status });
      for (const event of told) await tell(client, events, pod, event);
      if (isOver) await client.delete(ref, { uid: uidOf(pod), gracePeriodSeconds: 0 }).catch(ignoreNotFound);
      return lookIn === undefined ? undefined : requeueAfter(lookIn);
    },
  };
}

function placeOf(pod: Pod, node: Node, known: PodsOnNodes): PodAddresses {
  const { addresses = [] } = node.status;
  const hostIPs = addresses.filter(({ type }) => type === 'InternalIP').map(({ address }) => address);
  if (isOnHost(pod)) return { hostIPs, podIPs: hostIPs };
  return { hostIPs, podIPs: known.addressesFor(pod, podCIDRsOf(node)) };
}

async function tell(client: Client, events: EventCorrelator, pod: Pod, event: EventText): Promise<void> {
  const of = { component: 'kubelet', apiVersion: 'v1', kind: 'Pod', events };
  await recordOnce({ client, ...of }, pod, event);
}
