import type { Service } from '#lib/api/types/core.v1.ts';
import type { IPAddress } from '#lib/api/types/networking.v1.ts';
import { creationTimeOf, labelsOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { type Addr, sameAddr } from '#lib/machinery/net/addr.ts';
import { canonicalIP, ipFamily, parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { contains, lastAddr, masked, type Prefix } from '#lib/machinery/net/prefix.ts';
import { type Allocation, held } from '#lib/server/registry/kinds/core/service/allocation.ts';
import { needsClusterIP } from '#lib/server/registry/kinds/core/service/shape.ts';
import type { Warning } from './record-event.ts';

/** The time in ms after which a write that allocates values has either stored its service or failed: the server's request timeout. */
export const GRACE = 60_000;
/** The time in ms that a failed create of an existing service may take to release its allocations. */
const REVERT = 5_000;

const FAMILY = 'ipaddress.kubernetes.io/ip-family';
const MANAGED_BY = 'ipaddress.kubernetes.io/managed-by';
const ALLOCATOR = 'ipallocator.k8s.io';

/** `namespace/name` of a service. */
export const keyOf = (service: Service): string => `${namespaceOf(service)}/${nameOf(service)}`;

/** The addresses and ports that a service uses. Addresses have the form of IPAddress names. */
export function holdings(service: Service): Allocation {
  const { clusterIPs, nodePorts } = held(service);
  return { clusterIPs: clusterIPs.map((ip) => canonicalIP(ip) ?? ip), nodePorts };
}

/** The family of an address. */
export const familyOf = (address: string): 'IPv4' | 'IPv6' => (ipFamily(address) === 6 ? 'IPv6' : 'IPv4');

/** The IPAddress that should exist for a service's address. */
export const addressFor = (address: string, service: Service): IPAddress => ({
  metadata: { name: address, labels: { [FAMILY]: familyOf(address), [MANAGED_BY]: ALLOCATOR } },
  spec: { parentRef: { resource: 'services', namespace: namespaceOf(service), name: nameOf(service) } },
});

/** The key of the service that an IPAddress names. Undefined if it names another kind of object. */
export function parentOf({ spec }: IPAddress): string | undefined {
  const { group = '', resource, namespace = '', name = '' } = spec.parentRef ?? {};
  return group !== '' || resource !== 'services' ? undefined : `${namespace}/${name}`;
}

/** Whether the service allocator created the IPAddress. */
export const isManaged = (address: IPAddress): boolean => labelsOf(address)[MANAGED_BY] === ALLOCATOR;

/** Whether the IPAddress has the labels that the allocator sets. */
export const isLabelled = (address: IPAddress): boolean =>
  isManaged(address) && labelsOf(address)[FAMILY] === familyOf(nameOf(address));

/** The write that an IPAddress needs. */
export type Repair = 'keep' | 'create' | 'recreate';

interface ServiceAddress {
  readonly service: Service;
  readonly ip: string;
  readonly address: IPAddress | undefined;
  /** The service that `address` names, if it is a different one and exists. */
  readonly other: Service | undefined;
}

/** The repair of a service's address, with a warning if something is wrong: upstream's syncService. */
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

/** The warning for an address outside every range. */
export function outOfRange(ip: string): Warning {
  const note = `Cluster IP [${familyOf(ip)}]: ${ip} is not within any configured Service CIDR; please recreate service`;
  return ofAddress('ClusterIPOutOfRange', note);
}

/** The warning for an address whose IPAddress cannot be read. */
export function unreadable(ip: string): Warning {
  return ofAddress('UnknownError', `Unable to allocate ClusterIP [${familyOf(ip)}]: ${ip} due to an unknown error`);
}

/** The warning for an IPAddress whose service cannot be read. Upstream prints the whole object instead of its name. */
export const parentUnreadable = (ip: string): Warning =>
  ofClean('UnknownError', `Unable to get parent Service for IPAddress ${ip} due to an unknown error`);

/** The next step for an IPAddress of the allocator. `for` is in ms. */
export type Cleaning =
  | { readonly do: 'keep' }
  | { readonly do: 'wait'; readonly for: number }
  | { readonly do: 'delete'; readonly warning: Warning };

/** Whether an allocated address still belongs to a service: upstream's syncIPAddress. */
export function decideAddress(address: IPAddress, service: Service | undefined, now: number): Cleaning {
  if (!isManaged(address)) return { do: 'keep' };
  const name = nameOf(address);
  const parent = parentOf(address);
  if (parent === undefined) {
    const what = JSON.stringify(address.spec.parentRef ?? {});
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

/** A warning about a node port. */
export const ofPort = (reason: string, note: string): Warning => ({ reason, action: 'PortAllocation', note });

/** Whether a range can assign this address. Network addresses and IPv4 broadcast addresses are never assigned. */
export function isGiven(ip: string, networks: readonly Prefix[]): boolean {
  const addr = parseIPSloppy(ip);
  return addr !== undefined && networks.some((network) => isAssignable(addr, network));
}

function isAssignable(addr: Addr, network: Prefix): boolean {
  if (!contains(network, addr) || sameAddr(addr, masked(network).addr)) return false;
  return addr.family === 6 || !sameAddr(addr, lastAddr(network));
}
