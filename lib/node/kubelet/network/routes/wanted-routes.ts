import type { Node } from '#lib/api/types/core.v1.ts';
import { podPrefixesOf } from '#lib/helpers/component-helpers/node/pod-cidrs.ts';
import type { Addr } from '#lib/machinery/net/addr.ts';
import { addrText } from '#lib/machinery/net/addr-text.ts';
import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { contains, networkText, overlaps, type Prefix } from '#lib/machinery/net/prefix.ts';

/** A route to the pods of another node. */
export interface PodRoute {
  /** The pod range in Go's notation. */
  readonly destination: string;
  /** The address of the other node. */
  readonly gateway: string;
}

/** The wanted routes of a node, and the reasons for missing ones. */
export interface WantedRoutes {
  readonly routes: readonly PodRoute[];
  /** The reason by the name of the node without a route. */
  readonly faults: ReadonlyMap<string, string>;
}

interface Place {
  readonly node: string;
  readonly prefix: Prefix;
}

/**
 * The routes to the pods of all other nodes, ordered by node name: from each range of a node to its InternalIP of the same family. A range
 * that contains a node's address or overlaps another range gets no route, because it would redirect other traffic.
 */
export function wantedRoutes(nodes: readonly Node[], self: string, ownCIDRs: readonly string[]): WantedRoutes {
  const faults = new Map<string, string>();
  const routes: PodRoute[] = [];
  const addresses = nodes.flatMap(internalIPs);
  const taken: Place[] = ownCIDRs.flatMap((cidr) => {
    const prefix = parseCIDRSloppy(cidr);
    return prefix === undefined ? [] : [{ node: self, prefix }];
  });
  for (const node of nodes.toSorted(byName)) {
    const name = nameOf(node);
    if (name === self) continue;
    for (const prefix of podPrefixesOf(node)) {
      const gateway = internalIPs(node).find(({ family }) => family === prefix.addr.family);
      const fault = faultOf(prefix, gateway, { taken, addresses });
      if (fault !== undefined) faults.set(name, fault);
      else if (gateway !== undefined) routes.push({ destination: networkText(prefix), gateway: addrText(gateway) });
      if (fault === undefined) taken.push({ node: name, prefix });
    }
  }
  return { routes, faults };
}

interface Surroundings {
  readonly taken: readonly Place[];
  readonly addresses: readonly Addr[];
}

function faultOf(prefix: Prefix, gateway: Addr | undefined, { taken, addresses }: Surroundings): string | undefined {
  const range = networkText(prefix);
  if (gateway === undefined) return `the node has no InternalIP of the family of ${range}`;
  const covered = addresses.find((address) => contains(prefix, address));
  if (covered !== undefined) return `${range} covers the address ${addrText(covered)} of a node`;
  const other = taken.find((one) => overlaps(one.prefix, prefix));
  return other && `${range} overlaps ${networkText(other.prefix)} of node ${other.node}`;
}

const internalIPs = ({ status }: Node): Addr[] =>
  (status.addresses ?? []).flatMap(({ type, address }) =>
    type === 'InternalIP' ? (parseIPSloppy(address) ?? []) : [],
  );

const nameOf = ({ metadata: { name = '' } }: Node): string => name;
const byName = (one: Node, other: Node): number => (nameOf(one) < nameOf(other) ? -1 : 1);
