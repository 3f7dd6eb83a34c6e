import { serveClusterDNS } from './cluster-dns.ts';
import { ClusterObjects } from './cluster-objects.ts';
import { runServiceProxy } from './services.ts';
import type { NetworkContext, NetworkInputs } from './context.ts';

/** Runs the parts of the network that the options ask for. Resolves when the signal aborts. */
export async function runNetwork(inputs: NetworkInputs, signal: AbortSignal): Promise<void> {
  const objects = new ClusterObjects(inputs.connection, inputs.log);
  const context: NetworkContext = { ...inputs, objects };
  const { serveDNS, serviceProxy } = inputs.options;
  // Each listens before the objects are followed.
  const parts = [
    serveDNS ? serveClusterDNS(context, signal) : undefined,
    serviceProxy === undefined ? undefined : runServiceProxy(context, serviceProxy, signal),
  ];
  await Promise.all([...parts, objects.run(signal)]);
}
