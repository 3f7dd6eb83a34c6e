import { systemClock as clock } from '#adapters/clock.ts';
import { type ProxyHealthAnswer, serveProxyHealth } from '#adapters/node/nftables/proxy-health-server.ts';
import type { ProxyMetrics } from '#lib/node/proxy/metrics.ts';
import type { ServiceProxy } from '#lib/node/proxy/service-proxy.ts';
import type { NetworkContext } from './context.ts';
import type { ProxyNode } from './proxy-node.ts';
import type { ServiceProxySettings } from './proxy-options.ts';

/** Time in ms before another attempt to listen. */
const RETRY = 5000;

interface ProxyParts {
  readonly proxy: ServiceProxy;
  readonly metrics: ProxyMetrics;
  readonly node: ProxyNode;
}

/** Serves `/healthz` and `/livez` of the proxy, as kube-proxy does, until the signal aborts. */
export async function keepProxyHealth(
  { log }: NetworkContext,
  { healthz }: ServiceProxySettings,
  parts: ProxyParts,
  signal: AbortSignal,
): Promise<void> {
  if (healthz === undefined) return;
  while (!signal.aborted)
    try {
      await using _ = await serveProxyHealth(healthz, (path) => answerOf(parts, path));
      await clock.sleep(Infinity, signal);
    } catch (error) {
      log.fault(`cannot serve the health of the proxy at ${healthz.host} port ${healthz.port}`)(error);
      await clock.sleep(RETRY, signal);
    }
}

/** The response for a path. A node that is about to be removed returns 503 at `/healthz`, so that load balancers stop using it. */
function answerOf({ proxy, metrics, node }: ProxyParts, path: string): ProxyHealthAnswer | undefined {
  const { health } = proxy;
  if (path !== '/healthz' && path !== '/livez') return undefined;
  const isHealthz = path === '/healthz';
  const status = health.isHealthy && (!isHealthz || node.isEligible) ? 200 : 503;
  (isHealthz ? metrics.healthz : metrics.livez).add(1, [String(status)]);
  return { status, body: isHealthz ? health.answer(node.isEligible) : health.answer() };
}
