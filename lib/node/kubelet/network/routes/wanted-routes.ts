import type { Node } from '#lib/api/types/core.v1.ts';
import { addressText, networkText, type Prefix, parseCIDR, parseIP } from '#lib/machinery/validation/ip.ts';
import { isInPrefix } from '#lib/node/proxy/ip.ts';

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
  const taken: Place[] = ownCIDRs.flatMap((cidr) => placesOf(self, [cidr]));
  for (const node of nodes.toSorted(byName)) {
    const name = nameOf(node);
    if (name === self) continue;
    for (const place of placesOf(name, cidrsOf(node))) {
      const { prefix } = place;
      const gateway = internalIPs(node).find((ip) => parseIP(ip)?.bytes.length === prefix.address.bytes.length);
      const fault = faultOf(place, gateway, { taken, addresses });
      if (fault !== undefined) faults.set(name, fault);
      else if (gateway !== undefined) routes.push({ destination: networkText(prefix), gateway });
      if (fault === undefined) taken.push(place);
    }
  }
  return { routes, faults };
}

interface Surroundings {
  readonly taken: readonly Place[];
  readonly addresses: readonly string[];
}

function faultOf(
  { prefix }: Place,
  gateway: string | undefined,
  { taken, addresses }: Surroundings,
): string | undefined {
  const range = networkText(prefix);
  if (gateway === undefined) return `the node has no InternalIP of the family of ${range}`;
  const covered = addresses.find((address) => isInPrefix(address, prefix));
  if (covered !== undefined) return `${range} covers the address ${covered} of a node`;
  const other = taken.find((one) => overlaps(one.prefix, prefix));
  return other && `${range} overlaps ${networkText(other.prefix)} of node ${other.node}`;
}

const overlaps = (one: Prefix, other: Prefix): boolean =>
  isInPrefix(addressText(one.address), other) || isInPrefix(addressText(other.address), one);

const cidrsOf = ({ spec }: Node): readonly string[] =>
  spec?.podCIDRs ?? (spec?.podCIDR === undefined ? [] : [spec.podCIDR]);

const placesOf = (node: string, cidrs: readonly string[]): Place[] =>
  cidrs.flatMap((cidr) => {
    const prefix = parseCIDR(cidr);
    return prefix === undefined ? [] : [{ node, prefix }];
  });

const internalIPs = ({ status }: Node): string[] =>
  (status.addresses ?? []).flatMap(({ type, address }) => {
    const parsed = type === 'InternalIP' ? parseIP(address) : undefined;
    return parsed === undefined ? [] : [addressText(parsed)];
  });

const nameOf = ({ metadata: { name = '' } }: Node): string => name;
const byName = (one: Node, other: Node): number => (nameOf(one) < nameOf(other) ? -1 : 1);
