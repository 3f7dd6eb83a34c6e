import type { Service, ServicePort, ServiceSpec } from '#lib/api/types/core.v1.ts';
import { externallyAccessible } from './shape.ts';

/** The default session affinity timeout in seconds: three hours. */
const AFFINITY_SECONDS = 10_800;

/** Upstream's SetDefaults_Service. */
export function defaultService(service: Service): void {
  const { spec } = service;
  defaultAffinity(spec);
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) defaultPort(port);
  if (externallyAccessible(service)) spec.externalTrafficPolicy ||= 'Cluster';
  const type = spec.type ?? '';
  if (type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer') spec.internalTrafficPolicy ??= 'Cluster';
  if (type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of service.status.loadBalancer.ingress ?? []) {
    if ((ingress.ip ?? '') !== '') ingress.ipMode ??= 'VIP';
  }
}

function defaultAffinity(spec: ServiceSpec): void {
  spec.sessionAffinity ||= 'None';
  const affinity = spec.sessionAffinity ?? '';
  if (affinity === 'None') delete spec.sessionAffinityConfig;
  if (affinity !== 'ClientIP') return;
  const config = spec.sessionAffinityConfig?.clientIP;
  if (config?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: AFFINITY_SECONDS } };
  }
}

function defaultPort(port: ServicePort): void {
  port.protocol ||= 'TCP';
  if (port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port;
}
