import { Fault } from '#lib/api/cel/library/fault.ts';
import {
  type Addr,
  addrText,
  isGlobalUnicast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  parseAddr,
  sameAddr,
} from '#lib/api/cel/library/netip.ts';
import type { NodeAddress } from '#lib/api/types/core.v1.ts';
import type { HostNetwork } from '../host.ts';

/** The facts that decide the addresses of a node. */
export interface AddressFacts {
  readonly nodeName: string;
  readonly hostname: string;
  /** As `--node-ip` has them: none, one, or one of each family; 0.0.0.0 and :: choose a family. */
  readonly nodeIPs: readonly string[];
  /** The addresses that the node's name resolves to. */
  readonly lookedUp: readonly string[];
  readonly network: HostNetwork;
}

/** InternalIP and Hostname of a node, as upstream's setter NodeAddress finds them. Throws where the node has no address. */
export function nodeAddress(facts: AddressFacts): NodeAddress[] {
  const { hostname, nodeIPs, network } = facts;
  const [first, second] = nodeIPs.map(addrOf);
  const specified = [first, second].flatMap((ip) => (ip === undefined || isUnspecified(ip) ? [] : [ip]));
  for (const ip of specified) validateNodeIP(ip, network);
  const found = specified.length === 2 ? specified : [addressOf(facts, first)];
  return [
    ...found.map((ip) => ({ type: 'InternalIP', address: addrText(ip) })),
    { type: 'Hostname', address: hostname },
  ];
}

/** The flag, the host's name if it is an address, the name's addresses, the interface of the default route: in this order. */
function addressOf({ nodeName, hostname, lookedUp, network }: AddressFacts, nodeIP: Addr | undefined): Addr {
  if (nodeIP !== undefined && !isUnspecified(nodeIP)) return nodeIP;
  const family = nodeIP?.family ?? 4;
  const named = parseAddr(hostname);
  if (!(named instanceof Fault)) return named;
  const usable = lookedUp.map(addrOf).filter((ip) => faultOf(ip, network) === undefined);
  const chosen = usable.find((ip) => ip.family === family) ?? usable[0] ?? hostAddress(network, family);
  if (chosen === undefined)
    throw new Error(`can't get ip address of node ${nodeName}. error: unable to select an IP from default routes.`);
  return chosen;
}

/** The first global address of an interface with a default route, of this family before the other. */
function hostAddress({ interfaces, defaultRoutes }: HostNetwork, preferred: 4 | 6): Addr | undefined {
  const loopbacks = interfaces.filter(({ loopback }) => loopback);
  for (const family of preferred === 4 ? ([4, 6] as const) : ([6, 4] as const)) {
    const candidates =
      defaultRoutes === undefined
        ? interfaces.filter(({ loopback }) => !loopback)
        : defaultRoutes
            .filter((route) => route.family === family)
            .flatMap((route) => [...interfaces.filter(({ name }) => name === route.interface), ...loopbacks]);
    const addresses = candidates.flatMap((one) => one.addresses.map(addrOf));
    const found = addresses.find((ip) => ip.family === family && isGlobalUnicast(ip));
    if (found !== undefined) return found;
  }
  return undefined;
}

function validateNodeIP(ip: Addr, network: HostNetwork): void {
  const fault = faultOf(ip, network);
  if (fault !== undefined) throw new Error(`failed to validate nodeIP: ${fault}`);
}

/** Why an address cannot be a node's, by upstream's validateNodeIP. */
function faultOf(ip: Addr, { interfaces }: HostNetwork): string | undefined {
  if (isLoopback(ip)) return "nodeIP can't be loopback address";
  if (isLinkLocalUnicast(ip)) return "nodeIP can't be a link-local unicast address";
  if (isUnspecified(ip)) return "nodeIP can't be an all zeros address";
  if (!isGlobalUnicast(ip)) return "nodeIP can't be a multicast address";
  const isHere = interfaces.some((one) => one.addresses.some((address) => sameAddr(addrOf(address), ip)));
  return isHere ? undefined : `node IP: "${addrText(ip)}" not found in the host's network interfaces`;
}

/** Throws for a text that is no address. */
function addrOf(text: string): Addr {
  const addr = parseAddr(text);
  if (addr instanceof Fault) throw new Error('nodeIP must be a valid IP address');
  return addr;
}
