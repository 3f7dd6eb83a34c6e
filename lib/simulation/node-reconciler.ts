import type { Node } from '#lib/api/types/core.v1.ts';
import { LEASES, NODES } from '#lib/api/types/resources.ts';
import { type Clientset, clientset, type RefOf } from '#lib/client/clientset.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { isSimulated } from '#lib/helpers/component-helpers/node/simulated.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { RENEWAL, renewedLease } from './lease.ts';
import { newNode, reportOf } from './node.ts';
import type { SimulationOptions } from './options.ts';

/** A reference to a Node. */
export const nodeRef = (name: string): RefOf<Node> => ({ resource: NODES, namespace: '', name });

/**
 * Registers simulated nodes on start and keeps them alive: renews a Lease every ten seconds and reports the status every five minutes. A
 * deleted node stays deleted until the next start, as with a kubelet that keeps running.
 */
export function simulatedNodes({ names, clock, hasOwnRanges, clientOf }: SimulationOptions): Reconciler {
  const registered = new Set<string>();
  return {
    name: 'simulated-node',
    initial: names,
    keys: () => [],
    async reconcile(name): Promise<Result> {
      const index = names.indexOf(name);
      if (index < 0) return undefined;
      const client = clientset(clientOf(name));
      const found = await client.get(nodeRef(name));
      if (found === undefined && registered.has(name)) return undefined;
      if (found !== undefined && !isSimulated(found))
        return { terminal: `there is a node ${name} that is not simulated` };
      const node =
        found ?? (await client.create(NODES, newNode(index, { hasOwnRange: hasOwnRanges, now: clock.now() })));
      registered.add(name);
      await renewLease(client, node, clock.now());
      const status = reportOf(node, index, clock.now());
      if (status !== undefined) await client.update(nodeRef(name), { ...node, status }, 'status').catch(ignoreNotFound);
      return { requeueAfter: RENEWAL };
    },
  };
}

async function renewLease(client: Clientset, node: Node, now: number): Promise<void> {
  const ref = { resource: LEASES, namespace: 'kube-node-lease', name: nameOf(node) };
  const lease = await client.get(ref);
  const renewed = renewedLease(node, lease, now);
  if (renewed === undefined) return;
  await (lease === undefined ? client.create(LEASES, renewed) : client.update(ref, renewed));
}
