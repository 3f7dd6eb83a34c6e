import type { NodeAddress } from '#lib/api/types/core.v1.ts';
import { Fault } from '#lib/machinery/fault.ts';
import { type Addr, sameAddr } from '#lib/machinery/net/addr.ts';
import { addrText } from '#lib/machinery/net/addr-text.ts';
import { parseAddr } from '#lib/machinery/net/parse-addr.ts';
import { isGlobalUnicast, isLinkLocalUnicast, isLoopback, isUnspecified } from '#lib/machinery/net/scope.ts';
import type { HostNetwork } from '../host.ts';

/** The facts that determine the addresses of a node. */
export interface AddressFacts {
  readonly nodeName: string;
  readonly hostname: string;
  /** The addresses from `--node-ip`: none, one, or one per family. 0.0.0.0 and :: select a family. */
  readonly nodeIPs: readonly string[];
  /** The addresses that the node's name resolves to. */
  readonly lookedUp: readonly string[];
  readonly network: HostNetwork;
}

/** InternalIP and Hostname of a node (upstream: the setter NodeAddress). Throws if the node has no address. */
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

/** Tries, in this order: the flag, the hostname if it is an address, the addresses of the name, and the interface of the default route. */
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

/** The first global address of an interface with a default route. Prefers this family. */
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

/** The reason why an address cannot be a node's (upstream: validateNodeIP). */
function faultOf(ip: Addr, { interfaces }: HostNetwork): string | undefined {
  if (isLoopback(ip)) return "nodeIP can't be loopback address";
  if (isLinkLocalUnicast(ip)) return "nodeIP can't be a link-local unicast address";
  if (isUnspecified(ip)) return "nodeIP can't be an all zeros address";
  if (!isGlobalUnicast(ip)) return "nodeIP can't be a multicast address";
  const isHere = interfaces.some((one) => one.addresses.some((address) => sameAddr(addrOf(address), ip)));
  return isHere ? undefined : `node IP: "${addrText(ip)}" not found in the host's network interfaces`;
}

/** Throws for an invalid address. */
function addrOf(text: string): Addr {
  const addr = parseAddr(text);
  if (addr instanceof Fault) throw new Error('nodeIP must be a valid IP address');
  return addr;
}
