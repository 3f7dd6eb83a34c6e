import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { creationTimeOf, labelsOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import { addressText, parseCIDR, parseIP, type Prefix } from '#lib/machinery/validation/ip.ts';
import { held, type Held } from '#lib/registry/kinds/core/service/allocation.ts';
import { needsClusterIP } from '#lib/registry/kinds/core/service/shape.ts';
import type { Warning } from './record-event.ts';

/** A write that takes values stores its service within this time, or never: the server's limit of a request. */
export const GRACE = 60_000;
/** How long a failed create of a service that exists may take to give back what it took. */
const REVERT = 5_000;

const FAMILY = 'ipaddress.kubernetes.io/ip-family';
const MANAGED_BY = 'ipaddress.kubernetes.io/managed-by';
const ALLOCATOR = 'ipallocator.k8s.io';

/** `namespace/name` of a service. */
export const keyOf = (service: JsonObject): string => `${namespaceOf(service)}/${nameOf(service)}`;

/** What a service holds, its addresses as IPAddresses are named. */
export function holdings(service: JsonObject): Held {
  const { clusterIPs, nodePorts } = held(service);
  return { clusterIPs: clusterIPs.map(canonical), nodePorts };
}

function canonical(address: string): string {
  const parsed = parseIP(address);
  return parsed === undefined ? address : addressText(parsed);
}

export const familyOf = (address: string): 'IPv4' | 'IPv6' => (address.includes(':') ? 'IPv6' : 'IPv4');

/** The IPAddress that a service's address should have. */
export const addressFor = (address: string, service: JsonObject): JsonObject => ({
  metadata: { name: address, labels: { [FAMILY]: familyOf(address), [MANAGED_BY]: ALLOCATOR } },
  spec: { parentRef: { resource: 'services', namespace: namespaceOf(service), name: nameOf(service) } },
});

/** The key of the service that an IPAddress names; undefined where it names something else. */
export function parentOf(address: JsonObject): string | undefined {
  const parent = at(address, 'spec', 'parentRef');
  if (text(parent, 'group') !== '' || text(parent, 'resource') !== 'services') return undefined;
  return `${text(parent, 'namespace')}/${text(parent, 'name')}`;
}

export const isManaged = (address: JsonObject): boolean => labelsOf(address)[MANAGED_BY] === ALLOCATOR;

export const isLabelled = (address: JsonObject): boolean =>
  isManaged(address) && labelsOf(address)[FAMILY] === familyOf(nameOf(address));

export type Repair = 'keep' | 'create' | 'recreate';

interface ServiceAddress {
  readonly service: JsonObject;
  readonly ip: string;
  readonly address: JsonObject | undefined;
  /** The service that `address` names where that is another one and exists. */
  readonly other: JsonObject | undefined;
}

/** What a service's address needs: upstream's syncService. */
export function decideServiceAddress({ service, ip, address, other }: ServiceAddress): [Repair, Warning?] {
  const [family, key] = [familyOf(ip), keyOf(service)];
  const wrong = `the ClusterIP [${family}]: ${ip} for Service ${key} has a wrong reference; repairing`;
  const lost = `Cluster IP [${family}]: ${ip} is not allocated; repairing`;
  if (address === undefined) return ['create', ofAddress('ClusterIPNotAllocated', lost)];
  const parent = parentOf(address);
  if (parent === undefined || (parent !== key && other === undefined)) {
    return ['recreate', ofAddress('ClusterIPNotAllocated', wrong)];
  }
  if (parent === key) return [isLabelled(address) ? 'keep' : 'recreate'];
  if (other === undefined || !holdings(other).clusterIPs.includes(ip)) return ['keep'];
  const twice = `Cluster IP [${family}]:${ip} was assigned to multiple services; please recreate service`;
  return ['keep', ofAddress('ClusterIPAlreadyAllocated', twice)];
}

const ofAddress = (reason: string, note: string): Warning => ({ reason, action: 'ClusterIPAllocation', note });

export function outOfRange(ip: string): Warning {
  const note = `Cluster IP [${familyOf(ip)}]: ${ip} is not within any configured Service CIDR; please recreate service`;
  return ofAddress('ClusterIPOutOfRange', note);
}

export type Cleaning =
  | { readonly do: 'keep' }
  | { readonly do: 'wait'; readonly for: number }
  | { readonly do: 'delete'; readonly warning: Warning };

/** Whether an address that the allocator made is still a service's: upstream's syncIPAddress. */
export function decideAddress(address: JsonObject, service: JsonObject | undefined, now: number): Cleaning {
  if (!isManaged(address)) return { do: 'keep' };
  const name = nameOf(address);
  const parent = parentOf(address);
  if (parent === undefined) {
    const what = JSON.stringify(at(address, 'spec', 'parentRef') ?? {});
    const note = `IPAddress ${name} appears to have been modified, not referencing a Service ${what}: cleaning up`;
    return { do: 'delete', warning: ofClean('IPAddressNotAllocated', note) };
  }
  const created = creationTimeOf(address)?.getTime() ?? 0;
  const age = now - created;
  if (service === undefined) {
    if (age <= GRACE) return { do: 'wait', for: GRACE - age + 1 };
    const note = `IPAddress: ${name} for Service ${parent} appears to have leaked: cleaning up`;
    return { do: 'delete', warning: ofClean('IPAddressNotAllocated', note) };
  }
  if (holdings(service).clusterIPs.includes(name)) return { do: 'keep' };
  if (!needsClusterIP(service) && age < GRACE) return { do: 'wait', for: GRACE - age };
  const isNewer = created > (creationTimeOf(service)?.getTime() ?? 0);
  if (isNewer && age < REVERT) return { do: 'wait', for: REVERT };
  const note = `IPAddress: ${name} for Service ${parent} has a wrong reference; cleaning up`;
  return { do: 'delete', warning: ofClean('IPAddressWrongReference', note) };
}

const ofClean = (reason: string, note: string): Warning => ({ reason, action: 'IPAddressAllocation', note });

export const ofPort = (reason: string, note: string): Warning => ({ reason, action: 'PortAllocation', note });

/** Whether some network gives this address: its own and, of IPv4, its broadcast address are nobody's. */
export function isGiven(ip: string, networks: readonly Prefix[]): boolean {
  const bytes = parseIP(ip)?.bytes ?? [];
  return networks.some((network) => isInside(network, bytes));
}

function isInside({ address, length }: Prefix, bytes: readonly number[]): boolean {
  if (address.bytes.length !== bytes.length) return false;
  const masks = bytes.map((_, i) => (0xff << (8 - Math.min(8, Math.max(0, length - 8 * i)))) & 0xff);
  const hosts = bytes.map((byte, i) => byte & ~(masks[i] ?? 0) & 0xff);
  if (!bytes.every((byte, i) => ((byte ^ (address.bytes[i] ?? 0)) & (masks[i] ?? 0)) === 0)) return false;
  const isFirst = hosts.every((host) => host === 0);
  const isLast = bytes.length === 4 && hosts.every((host, i) => host === (~(masks[i] ?? 0) & 0xff));
  return !isFirst && !isLast;
}

/** The networks of a ServiceCIDR. */
export const networksOf = (range: JsonObject): Prefix[] =>
  arrayAt(objectAt(range, 'spec'), 'cidrs').flatMap((cidr) =>
    typeof cidr === 'string' ? (parseCIDR(cidr) ?? []) : [],
  );
