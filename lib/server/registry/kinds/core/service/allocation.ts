import type { Service, ServicePort, ServiceSpec } from '#lib/api/types/core.v1.ts';
import { isHeadless, needsClusterIP, needsHealthCheck, needsNodePort } from './shape.ts';

/** The values that a service has from the cluster's pools: addresses by text, ports by number, each once. */
export interface Allocation {
  readonly clusterIPs: readonly string[];
  readonly nodePorts: readonly number[];
}

/** The values that an allocator chooses for a service whose families are set. */
export interface AllocationRequest {
  /** The families whose address is missing, with their index in `clusterIPs`. */
  readonly clusterIPs: readonly { readonly index: number; readonly family: string }[];
  /** Indexes of ports; those of one entry share a number, as TCP and UDP of one port do. */
  readonly nodePorts: readonly (readonly number[])[];
  readonly healthCheckNodePort: boolean;
}

/** The values that the service holds by its fields, or asks for. */
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

/** The values that an update takes from the pools, and those that it gives back once it is committed. */
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

/** The values that are missing in the service. Call it after `initIPFamilies`. */
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

/** Ports that share a number with one for which the client chose the node port take that one. */
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
