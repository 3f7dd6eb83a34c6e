import { equal, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, ensure, items, text } from '#lib/machinery/unstructured.ts';
import { semanticEqual } from '../../shared/semantic.ts';
import { externallyAccessible, needsClusterIP, needsHealthCheck, needsNodePort, specOf, typeOf } from './shape.ts';

/**
 * Upstream's dropTypeDependentFields: what the former type had and the new one cannot have goes, unless the client changed
 * it as well, which validation then refuses.
 */
export function dropTypeDependentFields(service: JsonObject, old: JsonObject): void {
  const [spec, before] = [ensure(service, 'spec'), specOf(old)];
  const lost = (has: (service: JsonObject) => boolean): boolean => has(old) && !has(service);
  const balances = (one: JsonObject): boolean => typeOf(one) === 'LoadBalancer';
  if (lost(needsClusterIP)) dropAddresses(spec, before);
  if (lost(needsNodePort) && !asksNewNodePort(spec, before)) {
    for (const port of items(spec, 'ports')) delete port['nodePort'];
  }
  if (lost(needsHealthCheck)) dropSame(spec, before, 'healthCheckNodePort');
  if (lost(balances)) {
    dropSame(spec, before, 'allocateLoadBalancerNodePorts');
    dropSame(spec, before, 'loadBalancerClass');
  }
  if (lost(externallyAccessible)) dropSame(spec, before, 'externalTrafficPolicy');
  if (!balances(service)) ensure(service, 'status')['loadBalancer'] = {};
}

function dropAddresses(spec: JsonObject, before: JsonObject): void {
  const same = (field: string): boolean => semanticEqual(ownField(spec, field), ownField(before, field));
  if (text(spec, 'clusterIP') === text(before, 'clusterIP') && same('clusterIPs')) {
    delete spec['clusterIP'];
    delete spec['clusterIPs'];
  }
  dropSame(spec, before, 'ipFamilies');
  dropSame(spec, before, 'ipFamilyPolicy');
}

function dropSame(spec: JsonObject, before: JsonObject, field: string): void {
  if (equal(ownField(spec, field), ownField(before, field))) delete spec[field];
}

function asksNewNodePort(spec: JsonObject, before: JsonObject): boolean {
  const had = new Set(items(before, 'ports').map((port) => count(port, 'nodePort')));
  return items(spec, 'ports').some((port) => count(port, 'nodePort') !== 0 && !had.has(count(port, 'nodePort')));
}
