import { typedObject } from '#lib/api/typed.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES, SERVICE_CIDRS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { recordOnce } from '#lib/client/record/record-event.ts';
import { podCIDRsOf } from '#lib/helpers/component-helpers/node/pod-cidrs.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { type Assignment, areFree, assign, type NodeRange } from './decide.ts';
import { Reservations } from './reservations.ts';

const ALL = 'all';
/** The number of nodes whose blocks one write reserves. */
const AT_ONCE = 100;

/** The clients of a reconciliation. */
interface NodeIpamClients {
  readonly client: Client;
  /** Stores the reservations. */
  readonly keeper: Client;
}

/**
 * Assigns every node its blocks of pod addresses: upstream's range allocator. It has a single key, so reconciliations are serialized. Each
 * one reads the blocks of all nodes and reserves those that it assigns. A concurrent reconciliation therefore assigns no block
 * twice, and one after a crash continues.
 */
export function nodeIpam(
  clients: NodeIpamClients,
  clock: Clock,
  ranges: readonly NodeRange[],
  events = new EventCorrelator(clock),
): Reconciler {
  const [client, keeper] = [clientset(clients.client), clientset(clients.keeper)];
  const recorder = { client, component: 'cidrAllocator', apiVersion: 'v1', kind: 'Node', events };
  const tell = (node: Node, reason: string): Promise<void> =>
    recordOnce(recorder, node, { type: 'Normal', reason, message: `Node ${nameOf(node)} status is now: ${reason}` });
  const write = async ({ node, cidrs }: Given): Promise<void> => {
    const metadata = { uid: uidOf(node), resourceVersion: resourceVersionOf(node) };
    const spec: JsonObject = { podCIDR: cidrs[0] ?? '', podCIDRs: [...cidrs] };
    await client
      .patch({ resource: NODES, namespace: '', name: nameOf(node) }, { metadata, spec })
      .catch(ignoreNotFound)
      .catch(async (error: unknown) => {
        if (error instanceof StatusError && error.reason !== 'Conflict') await tell(node, 'CIDRAssignmentFailed');
        throw error;
      });
  };
  return {
    name: 'node-ipam',
    initial: [ALL],
    keys({ type, group, resource, object }) {
      if (group !== '' || resource !== NODES.resource) return [];
      if (type === 'DELETED') return [ALL]; // another node may wait for its block
      const node = typedObject(NODES, object());
      return podCIDRsOf(node).length === 0 && !isDeleting(node) ? [ALL] : [];
    },
    async reconcile() {
      const reservations = await Reservations.read(keeper); // before the nodes
      const nodes = await client.list(NODES);
      const waiting = nodes.filter((node) => podCIDRsOf(node).length === 0 && !isDeleting(node));
      if (waiting.length === 0) return undefined;
      const reserved: Given[] = [];
      for (const node of waiting) {
        const cidrs = reservations.of(node);
        if (cidrs !== undefined && areFree(cidrs, ranges, withGiven(nodes, reserved))) reserved.push({ node, cidrs });
      }
      for (const given of reserved) await write(given);
      const services = (await client.list(SERVICE_CIDRS)).flatMap(({ spec }) => spec.cidrs ?? []);
      const planned = assign(withGiven(nodes, reserved), ranges, services);
      const given = planned.filter(isGiven);
      for (let at = 0; at < given.length; at += AT_ONCE) {
        const next = given.slice(at, at + AT_ONCE);
        await reservations.replace(next);
        for (const one of next) await write(one);
      }
      for (const one of planned) if (!isGiven(one)) await tell(one.node, 'CIDRNotAvailable');
      return undefined;
    },
  };
}

/** The blocks assigned to a node. */
interface Given extends Assignment {
  readonly cidrs: readonly string[];
}

const isGiven = (one: Assignment): one is Given => one.cidrs !== undefined;

/** The nodes with these blocks added. */
function withGiven(nodes: readonly Node[], given: readonly Given[]): readonly Node[] {
  const cidrs = new Map(given.map((one) => [one.node, [...one.cidrs]]));
  return nodes.map((node) => {
    const podCIDRs = cidrs.get(node);
    return podCIDRs === undefined ? node : { ...node, spec: { ...node.spec, podCIDRs } };
  });
}
