import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, ensure, has, items, text, unlessText } from '#lib/machinery/unstructured.ts';
import { externallyAccessible } from './shape.ts';

/** Three hours: how long a client keeps its endpoint. */
const AFFINITY_SECONDS = 10_800;

/** Upstream's SetDefaults_Service. */
export function defaultService(service: JsonObject): void {
  const spec = ensure(service, 'spec');
  defaultAffinity(spec);
  unlessText(spec, 'type', 'ClusterIP');
  for (const port of items(spec, 'ports')) defaultPort(port);
  if (externallyAccessible(service)) unlessText(spec, 'externalTrafficPolicy', 'Cluster');
  const type = text(spec, 'type');
  if (type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer')
    spec['internalTrafficPolicy'] ??= 'Cluster';
  if (type !== 'LoadBalancer') return;
  spec['allocateLoadBalancerNodePorts'] ??= true;
  for (const ingress of items(at(service, 'status', 'loadBalancer'), 'ingress')) {
    if (text(ingress, 'ip') !== '') ingress['ipMode'] ??= 'VIP';
  }
}

function defaultAffinity(spec: JsonObject): void {
  unlessText(spec, 'sessionAffinity', 'None');
  const affinity = text(spec, 'sessionAffinity');
  if (affinity === 'None') delete spec['sessionAffinityConfig'];
  if (affinity !== 'ClientIP') return;
  const config = at(objectAt(spec, 'sessionAffinityConfig'), 'clientIP');
  if (!has(config, 'timeoutSeconds')) {
    spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: AFFINITY_SECONDS } };
  }
}

function defaultPort(port: JsonObject): void {
  unlessText(port, 'protocol', 'TCP');
  const target = ownField(port, 'targetPort') ?? 0;
  if (target === 0 || target === '') port['targetPort'] = count(port, 'port');
}
