import type { Service, ServiceSpec } from '#lib/api/types/core.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { semanticEqual } from '../../shared/semantic.ts';
import { externallyAccessible, needsClusterIP, needsHealthCheck, needsNodePort, typeOf } from './shape.ts';

/**
 * Upstream's dropTypeDependentFields: removes fields that the new type does not support. Keeps fields that the client also changed, so that
 * validation rejects them.
 */
export function dropTypeDependentFields(service: Service, old: Service): void {
  const [spec, before] = [service.spec, old.spec];
  const lost = (has: (service: Service) => boolean): boolean => has(old) && !has(service);
  const balances = (one: Service): boolean => typeOf(one) === 'LoadBalancer';
  if (lost(needsClusterIP)) dropAddresses(spec, before);
  if (lost(needsNodePort) && !asksNewNodePort(spec, before)) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (lost(needsHealthCheck)) dropSame(spec, before, 'healthCheckNodePort');
  if (lost(balances)) {
    dropSame(spec, before, 'allocateLoadBalancerNodePorts');
    dropSame(spec, before, 'loadBalancerClass');
  }
  if (lost(externallyAccessible)) dropSame(spec, before, 'externalTrafficPolicy');
  if (!balances(service)) service.status.loadBalancer = {};
}

function dropAddresses(spec: ServiceSpec, before: ServiceSpec): void {
  const same = semanticEqual(spec.clusterIPs, before.clusterIPs);
  if (same && (spec.clusterIP ?? '') === (before.clusterIP ?? '')) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  dropSame(spec, before, 'ipFamilies');
  dropSame(spec, before, 'ipFamilyPolicy');
}

type Optional = Exclude<keyof ServiceSpec, symbol>;

function dropSame(spec: ServiceSpec, before: ServiceSpec, field: Optional): void {
  if (equal(spec[field], before[field])) delete spec[field];
}

function asksNewNodePort(spec: ServiceSpec, before: ServiceSpec): boolean {
  const had = new Set((before.ports ?? []).map((port) => port.nodePort ?? 0));
  return (spec.ports ?? []).some((port) => (port.nodePort ?? 0) !== 0 && !had.has(port.nodePort ?? 0));
}
