import { serveClusterDNS } from './cluster-dns.ts';
import type { NetworkContext } from './context.ts';
import { keepPodNetwork } from './keep-pod-network.ts';
import { runNetworkPolicies } from './network-policies.ts';
import { runServiceProxy } from './services.ts';
import { collectAttachments } from './stale-attachments.ts';

/** Runs the parts of the network that the options enable. Resolves when the signal aborts. */
export async function runNetwork(context: NetworkContext, signal: AbortSignal): Promise<void> {
  const { objects, options, enforcer } = context;
  const { serveDNS, serviceProxy } = options;
  // Each part adds its listeners before the objects are followed.
  const parts = [
    keepPodNetwork(context, signal),
    serveDNS ? serveClusterDNS(context, signal) : undefined,
    serviceProxy === undefined ? undefined : runServiceProxy(context, serviceProxy, signal),
    enforcer === undefined ? undefined : runNetworkPolicies(context, enforcer, signal),
  ];
  await Promise.all([...parts, collectAttachments(context, signal), objects.run(signal)]);
}
