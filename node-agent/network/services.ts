import { systemClock as clock } from '#adapters/clock.ts';
import { hostFamilies } from '#adapters/node/host/network/ip-families.ts';
import { conntrack } from '#adapters/node/nftables/conntrack.ts';
import { HealthPorts } from '#adapters/node/nftables/health-ports.ts';
import { nft } from '#adapters/node/nftables/nft.ts';
import { typedObject } from '#lib/api/typed.ts';
import { ENDPOINT_SLICES, SERVICE_CIDRS, SERVICES } from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { healthAnswer } from '#lib/node/proxy/healthcheck/service-health.ts';
import { ProxyMetrics } from '#lib/node/proxy/metrics.ts';
import { ServiceProxy } from '#lib/node/proxy/service-proxy.ts';
import type { IPFamily } from '#lib/node/proxy/types.ts';
import type { NetworkContext } from './context.ts';
import { keepProxyHealth } from './proxy-health.ts';
import { ProxyNode } from './proxy-node.ts';
import type { ServiceProxySettings } from './proxy-options.ts';
import { setConntrack, warnOfKernel } from './proxy-sysctls.ts';
import { lookAtTables } from './proxy-tables.ts';

/** Forwards packets to Services with kernel rules. The rules stay after the signal aborts, and the next agent takes them over. */
export async function runServiceProxy(
  context: NetworkContext,
  settings: ServiceProxySettings,
  signal: AbortSignal,
): Promise<void> {
  const metrics = new ProxyMetrics();
  context.networkMetrics.push(metrics);
  const node = new ProxyNode(context, settings);
  const healthPorts = new Map<IPFamily, HealthPorts>();
  const proxy = new ServiceProxy({
    families: hostFamilies(),
    clock,
    nftables: nft,
    conntrack,
    metrics,
    settings: (family) => node.settings(family),
    healthPorts: (family) => {
      const ports = healthPortsOf(context, family, () => proxy);
      healthPorts.set(family, ports);
      return ports;
    },
    onFault: (what, error) => context.log.fault(what)(error),
  });
  follow(context, proxy, node);
  await setConntrack(settings, context.log);
  await warnOfKernel(context.log);
  context.log.info('Services are forwarded by nftables');
  await Promise.all([
    proxy.run(signal),
    lookAtTables(context, proxy, node, signal),
    keepProxyHealth(context, settings, { proxy, metrics, node }, signal),
  ]);
  for (const ports of healthPorts.values()) await ports[Symbol.asyncDispose]();
}

/** Passes Services, EndpointSlices, ServiceCIDRs and the Node to the proxy. */
function follow({ objects, node: nodeObject }: NetworkContext, proxy: ServiceProxy, node: ProxyNode): void {
  objects.listen(SERVICES, {
    take: ({ type, namespace, name, object }) =>
      type === 'DELETED' ? proxy.deleteService(namespace, name) : proxy.putService(typedObject(SERVICES, object())),
    listed: () => proxy.listed('services'),
  });
  objects.listen(ENDPOINT_SLICES, {
    take: ({ type, namespace, name, object }) =>
      type === 'DELETED' ? proxy.deleteSlice(namespace, name) : proxy.putSlice(typedObject(ENDPOINT_SLICES, object())),
    listed: () => proxy.listed('slices'),
  });
  const place = (isOther: boolean): void => {
    if (isOther) proxy.placed();
  };
  objects.listen(SERVICE_CIDRS, {
    take: (change) => place(takeServiceCIDR(node, change)),
    listed: () => undefined,
  });
  nodeObject.listen(() => place(node.look()));
}

const takeServiceCIDR = (node: ProxyNode, { type, name, object }: ObjectChange): boolean =>
  node.setServiceCIDRs(name, type === 'DELETED' ? [] : (typedObject(SERVICE_CIDRS, object()).spec.cidrs ?? []));

const healthPortsOf = ({ log }: NetworkContext, family: IPFamily, proxy: () => ServiceProxy): HealthPorts =>
  new HealthPorts({
    addresses: [family === 'IPv4' ? '0.0.0.0' : '::'],
    answer: (service) => healthAnswer(service, proxy().localReady(family, service), proxy().health.isHealthy),
    onFault: (service, port, error) =>
      log.fault(`cannot serve the health check node port ${port} of ${service}`)(error),
  });
