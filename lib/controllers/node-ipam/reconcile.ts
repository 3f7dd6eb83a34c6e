import { typedObject } from '#lib/api/typed.ts';
import { NODES, SERVICE_CIDRS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { recordOnce } from '../workload/record-event.ts';
import { assign, cidrsOf, type Assignment, type NodeRange } from './decide.ts';

const ALL = 'all';

/**
 * Gives every node its blocks of pod addresses: upstream's range allocator. There is one key, so one turn at a time; each reads what
 * all nodes have, so nothing is remembered that a crash could lose.
 */
export function nodeIpam(untyped: Client, clock: Clock, ranges: readonly NodeRange[]): Reconciler {
  const client = clientset(untyped);
  const recorder = { client, component: 'cidrAllocator', apiVersion: 'v1', kind: 'Node', now: () => clock.now() };
  const write = async ({ node, cidrs }: Assignment): Promise<void> => {
    const message = `Node ${nameOf(node)} status is now: CIDRNotAvailable`;
    if (cidrs === undefined) return recordOnce(recorder, node, { type: 'Normal', reason: 'CIDRNotAvailable', message });
    const metadata = { uid: uidOf(node), resourceVersion: resourceVersionOf(node) };
    const spec: JsonObject = { podCIDR: cidrs[0] ?? '', podCIDRs: [...cidrs] };
    await client
      .patch({ resource: NODES, namespace: '', name: nameOf(node) }, { metadata, spec })
      .catch(ignoreNotFound);
  };
  return {
    name: 'node-ipam',
    keys({ type, group, resource, object }) {
      if (group !== '' || resource !== NODES.resource) return [];
      if (type === 'DELETED') return [ALL]; // another node may wait for its block
      const node = typedObject(NODES, object());
      return cidrsOf(node).length === 0 && !isDeleting(node) ? [ALL] : [];
    },
    async reconcile() {
      const nodes = await client.list(NODES);
      if (nodes.every((node) => cidrsOf(node).length > 0)) return undefined;
      const services = (await client.list(SERVICE_CIDRS)).flatMap(({ spec }) => spec.cidrs ?? []);
      for (const assignment of assign(nodes, ranges, services)) await write(assignment);
      return undefined;
    },
  };
}
