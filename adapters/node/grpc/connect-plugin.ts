import type { ServiceClient, ServiceDefinition } from '#lib/machinery/rpc.ts';
import { dialSocket } from './client.ts';

/** A plugin that has accepted a connection. */
export interface PluginApi<D extends ServiceDefinition> extends Disposable {
  readonly api: ServiceClient<D>;
}

/**
 * Connects to a plugin's socket. `maxMessage` limits the bytes of the plugin's messages. Rejects after `timeout` ms without a connection.
 */
export async function connectPlugin<D extends ServiceDefinition>(
  definition: D,
  socketPath: string,
  { timeout, maxMessage }: { readonly timeout: number; readonly maxMessage: number },
): Promise<PluginApi<D>> {
  const channel = dialSocket(socketPath, { maxMessage });
  try {
    await channel.ready(timeout);
  } catch (error) {
    channel[Symbol.dispose]();
    throw error;
  }
  return { api: channel.client(definition), [Symbol.dispose]: () => channel[Symbol.dispose]() };
}
