import type { Node } from '#lib/api/types/core.v1.ts';
import { addressText, networkText, type Prefix, parseCIDR, parseIP } from '#lib/machinery/validation/ip.ts';
import { isInPrefix } from '#lib/node/proxy/ip.ts';

/** A way to the pods of another node. */
export interface PodRoute {
  /** Their range, as Go writes it. */
  readonly destination: string;
  /** The address of their node. */
  readonly gateway: string;
}

/** The wanted routes of a node, and why others are not. */
export interface WantedRoutes {
  readonly routes: readonly PodRoute[];
  /** By the name of the node that has no route. */
  readonly faults: ReadonlyMap<string, string>;
}

interface Place {
  readonly node: string;
  readonly prefix: Prefix;
}

/**
 * The routes to the pods of all other nodes, by their names: a range of a node goes to its InternalIP of the same family. A range that covers an
 * address of a node or overlaps another range has none: it would take the traffic of others.
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
