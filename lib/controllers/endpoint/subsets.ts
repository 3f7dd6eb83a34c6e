import type { EndpointAddress, EndpointPort, EndpointSubset } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';

interface Host {
  readonly address: EndpointAddress;
  readonly isReady: boolean;
}

interface Port {
  /** Undefined if the subset has none. */
  readonly port: EndpointPort | undefined;
  readonly hosts: Map<string, Host>;
}

/** Hosts that share an address are distinguished by their target. */
const hostKey = ({ ip, targetRef }: EndpointAddress): string => JSON.stringify([ip, targetRef?.uid ?? '']);

const portKey = (port: EndpointPort | undefined): string =>
  port === undefined ? '' : JSON.stringify([port.name ?? '', port.port, port.protocol ?? '', port.appProtocol ?? null]);

/**
 * Subsets in canonical form: ports with the same hosts are merged, a host that is unready at a port in any subset is unready at that port,
 * and everything is sorted. This is upstream's RepackSubsets, which sorts by hash instead.
 */
export function repack(subsets: readonly EndpointSubset[]): EndpointSubset[] {
  const groups = Map.groupBy(hostsByPort(subsets).values(), ({ hosts }) =>
    JSON.stringify([...hosts].map(([key, { isReady }]) => [key, isReady]).sort()),
  );
  return [...groups.values()].map(subsetOf).sort(byText);
}

function hostsByPort(subsets: readonly EndpointSubset[]): Map<string, Port> {
  const found = new Map<string, Port>();
  const known = new Map<string, EndpointAddress>();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const entry = found.get(portKey(port)) ?? { port, hosts: new Map<string, Host>() };
      found.set(portKey(port), entry);
      for (const address of addresses) note(entry, known, address, true);
      for (const address of notReadyAddresses) note(entry, known, address, false);
    }
  }
  return found;
}

function note({ hosts }: Port, known: Map<string, EndpointAddress>, given: EndpointAddress, isReady: boolean): void {
  const key = hostKey(given);
  const address = known.get(key) ?? given;
  known.set(key, address);
  hosts.set(key, { address, isReady: isReady && (hosts.get(key)?.isReady ?? true) });
}

function subsetOf(group: readonly Port[]): EndpointSubset {
  const hosts = [...(group[0]?.hosts ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, host]) => host);
  const of = (ready: boolean): EndpointAddress[] =>
    hosts.filter(({ isReady }) => isReady === ready).map(({ address }) => address);
  const ports = group
    .map(({ port }) => port)
    .filter((port) => port !== undefined)
    .sort((a, b) => (portKey(a) < portKey(b) ? -1 : 1));
  return unlessEmpty({ addresses: of(true), notReadyAddresses: of(false), ports });
}

/** The lists of a subset. An empty list is absent. */
interface Lists {
  readonly addresses: EndpointAddress[];
  readonly notReadyAddresses: EndpointAddress[];
  readonly ports: EndpointPort[];
}

/** A subset of these lists, without empty ones. */
export const unlessEmpty = ({ addresses, notReadyAddresses, ports }: Lists): EndpointSubset =>
  defined({
    addresses: addresses.length === 0 ? undefined : addresses,
    notReadyAddresses: notReadyAddresses.length === 0 ? undefined : notReadyAddresses,
    ports: ports.length === 0 ? undefined : ports,
  });

const byText = (a: EndpointSubset, b: EndpointSubset): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
