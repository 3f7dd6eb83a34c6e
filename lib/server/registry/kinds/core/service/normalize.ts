import type { Service, ServiceSpec } from '#lib/api/types/core.v1.ts';
import { keepField } from '../../shared/status.ts';
import { needsClusterIP, needsHealthCheck, needsNodePort, typeOf } from './shape.ts';

/**
 * Upstream's normalizeClusterIPs. Old clients write only `clusterIP`, newer clients write `clusterIP` and `clusterIPs`. An unchanged field
 * is updated from the changed one.
 */
export function normalizeClusterIPs(service: Service, old?: Service): void {
  const { spec } = service;
  const single = spec.clusterIP ?? '';
  if (old === undefined) {
    if (single !== '' && (spec.clusterIPs ?? []).length === 0) spec.clusterIPs = [single];
    return;
  }
  const before = old.spec.clusterIP ?? '';
  const list = old.spec.clusterIPs ?? [];
  if (list.length > 0 && (spec.clusterIPs ?? []).length === 0 && single === before) spec.clusterIPs = [...list];
  if (single === before || (spec.clusterIPs ?? []).join() !== list.join()) return;
  if (single === '') delete spec.clusterIPs;
  else spec.clusterIPs = [single];
}

/** Finds stored ExternalName services with internalTrafficPolicy. Earlier versions of the server stored it. */
export function mayHaveNeedlessPolicy(body: Uint8Array): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length);
  return text.includes('"type":"ExternalName"') && text.includes('"internalTrafficPolicy"');
}

const POLICIES: readonly string[] = ['Cluster', 'Local'];

/**
 * Removes internalTrafficPolicy from an ExternalName service, like upstream on every read. An unknown value is kept for validation to
 * reject.
 */
export function dropInternalTrafficPolicy(service: Service): void {
  const { spec } = service;
  if (typeOf(service) === 'ExternalName' && POLICIES.includes(spec.internalTrafficPolicy ?? ''))
    delete spec.internalTrafficPolicy;
}

/** Upstream's patchAllocatedValues: keeps allocated values that the client omits. */
export function keepAllocated(service: Service, old: Service): void {
  const [spec, before] = [service.spec, old.spec];
  if (needsClusterIP(old) && needsClusterIP(service)) {
    if ((spec.clusterIP ?? '') === '') keep(spec, before, 'clusterIP');
    if ((spec.clusterIPs ?? []).length === 0) keep(spec, before, 'clusterIPs');
  }
  if (needsNodePort(old) && needsNodePort(service)) keepNodePorts(spec, before);
  if (needsHealthCheck(old) && needsHealthCheck(service) && (spec.healthCheckNodePort ?? 0) === 0) {
    keep(spec, before, 'healthCheckNodePort');
  }
}

/** Keeps node ports by port name, unless the client assigned the number to another port. */
function keepNodePorts(spec: ServiceSpec, before: ServiceSpec): void {
  const had = new Map((before.ports ?? []).map((port) => [port.name ?? '', port.nodePort ?? 0]));
  const given = new Set((spec.ports ?? []).map((port) => port.nodePort ?? 0));
  for (const port of spec.ports ?? []) {
    const number = had.get(port.name ?? '') ?? 0;
    if ((port.nodePort ?? 0) === 0 && number !== 0 && !given.has(number)) port.nodePort = number;
  }
}

type Allocated = 'clusterIP' | 'clusterIPs' | 'healthCheckNodePort';

function keep(target: ServiceSpec, source: ServiceSpec, field: Allocated): void {
  if (source[field] !== undefined) keepField(target, source, field);
}
