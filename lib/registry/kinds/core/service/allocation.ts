import { ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, items, text, texts } from '#lib/machinery/unstructured.ts';
import { isHeadless, needsClusterIP, needsHealthCheck, needsNodePort, specOf } from './shape.ts';

/** What a service has from the cluster's pools: addresses by text, ports by number, each once. */
export interface Held {
  readonly clusterIPs: readonly string[];
  readonly nodePorts: readonly number[];
}

/** What an allocator is to choose for a service whose families are set. */
export interface AllocationRequest {
  /** The families whose address is missing, with their index in `clusterIPs`. */
  readonly clusterIPs: readonly { readonly index: number; readonly family: string }[];
  /** Indexes of ports; those of one entry share a number, as TCP and UDP of one port do. */
  readonly nodePorts: readonly (readonly number[])[];
  readonly healthCheckNodePort: boolean;
}

/** What the object says that it holds, or asks for by value. */
export function held(service: JsonObject): Held {
  const spec = specOf(service);
  const addresses = needsClusterIP(service) && !isHeadless(service);
  const ports = needsNodePort(service) ? items(spec, 'ports').map((port) => Number(count(port, 'nodePort'))) : [];
  const health = needsHealthCheck(service) ? [Number(count(spec, 'healthCheckNodePort'))] : [];
  return {
    clusterIPs: addresses ? texts(spec, 'clusterIPs').filter((ip) => ip !== '') : [],
    nodePorts: [...new Set([...ports, ...health])].filter((port) => port !== 0),
  };
}

/** What an update takes from the pools by value, and what it gives back once it is committed. */
export function change(service: JsonObject | undefined, old: JsonObject | undefined): { claim: Held; release: Held } {
  const nothing: Held = { clusterIPs: [], nodePorts: [] };
  const now = service === undefined ? nothing : held(service);
  const before = old === undefined ? nothing : held(old);
  return { claim: without(now, before), release: without(before, now) };
}

function without(a: Held, b: Held): Held {
  const [ips, ports] = [new Set(b.clusterIPs), new Set(b.nodePorts)];
  return {
    clusterIPs: a.clusterIPs.filter((ip) => !ips.has(ip)),
    nodePorts: a.nodePorts.filter((port) => !ports.has(port)),
  };
}

/** Call after `initIPFamilies`. */
export function allocationRequest(service: JsonObject): AllocationRequest {
  const spec = specOf(service);
  const ips = texts(spec, 'clusterIPs');
  const addresses = needsClusterIP(service) && !isHeadless(service);
  const missing = texts(spec, 'ipFamilies').map((family, index) => ({ index, family }));
  return {
    clusterIPs: addresses ? missing.filter(({ index }) => (ips[index] ?? '') === '') : [],
    nodePorts: needsNodePort(service) && allocatesNodePorts(spec) ? missingPorts(items(spec, 'ports')) : [],
    healthCheckNodePort: needsHealthCheck(service) && count(spec, 'healthCheckNodePort') === 0,
  };
}

function allocatesNodePorts(spec: JsonObject): boolean {
  return text(spec, 'type') === 'NodePort' || ownField(spec, 'allocateLoadBalancerNodePorts') !== false;
}

function missingPorts(ports: readonly JsonObject[]): number[][] {
  const byPort = new Map<number, number[]>();
  for (const [index, port] of ports.entries()) {
    if (count(port, 'nodePort') !== 0) continue;
    const number = Number(count(port, 'port'));
    const known = byPort.get(number);
    if (known === undefined) byPort.set(number, [index]);
    else known.push(index);
  }
  return [...byPort.values()];
}

/** Ports that share a number with one for which the client chose the node port take that one. */
export function shareNodePorts(service: JsonObject): void {
  const ports = items(specOf(service), 'ports');
  if (!needsNodePort(service) || !allocatesNodePorts(specOf(service))) return;
  const chosen = ports.filter((port) => count(port, 'nodePort') !== 0).reverse();
  const numbers = new Map(chosen.map((port) => [count(port, 'port'), count(port, 'nodePort')]));
  for (const port of ports) {
    const number = numbers.get(count(port, 'port'));
    if (count(port, 'nodePort') === 0 && number !== undefined) port['nodePort'] = number;
  }
}
