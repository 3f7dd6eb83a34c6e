import { ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';

interface Host {
  readonly address: JsonObject;
  readonly isReady: boolean;
}

interface Port {
  /** Undefined where the subset has none. */
  readonly port: JsonObject | undefined;
  readonly hosts: Map<string, Host>;
}

/** Hosts that share an address are told apart by what they are. */
const hostKey = (address: JsonObject): string =>
  JSON.stringify([text(address, 'ip'), text(at(address, 'targetRef'), 'uid')]);

const portKey = (port: JsonObject | undefined): string =>
  port === undefined
    ? ''
    : JSON.stringify([
        text(port, 'name'),
        Number(ownField(port, 'port') ?? 0),
        text(port, 'protocol'),
        ownField(port, 'appProtocol') ?? null,
      ]);

/**
 * Subsets in their one canonical form: ports that the same hosts serve are together, a host that is unready anywhere at a port
 * is unready there, everything in order. Upstream's RepackSubsets, but for the order, which is a hash there.
 */
export function repack(subsets: readonly JsonObject[]): JsonObject[] {
  const groups = Map.groupBy(hostsByPort(subsets).values(), ({ hosts }) =>
    JSON.stringify([...hosts].map(([key, { isReady }]) => [key, isReady]).sort()),
  );
  return [...groups.values()].map(subsetOf).sort(byText);
}

function hostsByPort(subsets: readonly JsonObject[]): Map<string, Port> {
  const found = new Map<string, Port>();
  const addresses = new Map<string, JsonObject>();
  for (const subset of subsets) {
    const ports = items(subset, 'ports');
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const entry = found.get(portKey(port)) ?? { port, hosts: new Map<string, Host>() };
      found.set(portKey(port), entry);
      for (const [field, isReady] of [
        ['addresses', true],
        ['notReadyAddresses', false],
      ] as const)
        for (const address of items(subset, field)) note(entry, addresses, address, isReady);
    }
  }
  return found;
}

function note({ hosts }: Port, addresses: Map<string, JsonObject>, given: JsonObject, isReady: boolean): void {
  const key = hostKey(given);
  const address = addresses.get(key) ?? given;
  addresses.set(key, address);
  hosts.set(key, { address, isReady: isReady && (hosts.get(key)?.isReady ?? true) });
}

function subsetOf(group: readonly Port[]): JsonObject {
  const hosts = [...(group[0]?.hosts ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, host]) => host);
  const of = (ready: boolean): JsonObject[] =>
    hosts.filter(({ isReady }) => isReady === ready).map(({ address }) => address);
  const ports = group
    .map(({ port }) => port)
    .filter((port) => port !== undefined)
    .sort((a, b) => (portKey(a) < portKey(b) ? -1 : 1));
  return unlessEmpty({ addresses: of(true), notReadyAddresses: of(false), ports });
}

export const unlessEmpty = (lists: Record<string, JsonObject[]>): JsonObject =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

const byText = (a: JsonObject, b: JsonObject): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
