import type { Service, ServicePort, ServiceSpec } from '#lib/api/types/core.v1.ts';
import { isHeadless, needsClusterIP, needsHealthCheck, needsNodePort } from './shape.ts';

/** The values that a service uses from the cluster's pools: addresses as text and ports as numbers, without duplicates. */
export interface Allocation {
  readonly clusterIPs: readonly string[];
  readonly nodePorts: readonly number[];
}

/** The values that an allocator must choose for a service whose IP families are set. */
export interface AllocationRequest {
  /** The families without an address, and their index in `clusterIPs`. */
  readonly clusterIPs: readonly { readonly index: number; readonly family: string }[];
  /** Groups of port indexes that share a number, for example TCP and UDP of the same port. */
  readonly nodePorts: readonly (readonly number[])[];
  readonly healthCheckNodePort: boolean;
}

/** The allocated values in the service's fields. */
export function held(service: Service): Allocation {
  const spec = service.spec;
  const addresses = needsClusterIP(service) && !isHeadless(service);
  const ports = needsNodePort(service) ? (spec.ports ?? []).map((port) => port.nodePort ?? 0) : [];
  const health = needsHealthCheck(service) ? [spec.healthCheckNodePort ?? 0] : [];
  return {
    clusterIPs: addresses ? (spec.clusterIPs ?? []).filter((ip) => ip !== '') : [],
    nodePorts: [...new Set([...ports, ...health])].filter((port) => port !== 0),
  };
}

/** The values that an update allocates, and those that it releases after the commit. */
export function change(
  service: Service | undefined,
  old: Service | undefined,
): { claim: Allocation; release: Allocation } {
  const nothing: Allocation = { clusterIPs: [], nodePorts: [] };
  const now = service === undefined ? nothing : held(service);
  const before = old === undefined ? nothing : held(old);
  return { claim: without(now, before), release: without(before, now) };
}

function without(a: Allocation, b: Allocation): Allocation {
  const [ips, ports] = [new Set(b.clusterIPs), new Set(b.nodePorts)];
  return {
    clusterIPs: a.clusterIPs.filter((ip) => !ips.has(ip)),
    nodePorts: a.nodePorts.filter((port) => !ports.has(port)),
  };
}

/** The values that the service lacks. Must be called after `initIPFamilies`. */
export function allocationRequest(service: Service): AllocationRequest {
  const spec = service.spec;
  const ips = spec.clusterIPs ?? [];
  const addresses = needsClusterIP(service) && !isHeadless(service);
  const missing = (spec.ipFamilies ?? []).map((family, index) => ({ index, family }));
  return {
    clusterIPs: addresses ? missing.filter(({ index }) => (ips[index] ?? '') === '') : [],
    nodePorts: needsNodePort(service) && allocatesNodePorts(spec) ? missingPorts(spec.ports ?? []) : [],
    healthCheckNodePort: needsHealthCheck(service) && (spec.healthCheckNodePort ?? 0) === 0,
  };
}

function allocatesNodePorts(spec: ServiceSpec): boolean {
  return (spec.type ?? '') === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false;
}

function missingPorts(ports: readonly ServicePort[]): number[][] {
  const byPort = new Map<number, number[]>();
  for (const [index, port] of ports.entries()) {
    if ((port.nodePort ?? 0) !== 0) continue;
    const number = port.port;
    const known = byPort.get(number);
    if (known === undefined) byPort.set(number, [index]);
    else known.push(index);
  }
  return [...byPort.values()];
}

/** Copies a client's node port to other ports with the same port number. */
export function shareNodePorts(service: Service): void {
  const ports = service.spec.ports ?? [];
  if (!needsNodePort(service) || !allocatesNodePorts(service.spec)) return;
  const chosen = ports.filter((port) => (port.nodePort ?? 0) !== 0).reverse();
  const numbers = new Map(chosen.map((port) => [port.port, port.nodePort ?? 0]));
  for (const port of ports) {
    const number = numbers.get(port.port);
    if ((port.nodePort ?? 0) === 0 && number !== undefined) port.nodePort = number;
  }
}
