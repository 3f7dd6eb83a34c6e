import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceHandlers } from '#lib/machinery/rpc.ts';
import { KUBELET_SOCKET } from '#lib/node/kubelet/cm/devicemanager/constants.ts';
import { RegistrationDefinition } from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import { type SocketServer, serveSocket, service } from '../server.ts';

/**
 * Serves the registration of device plugins in their folder. It first removes all sockets that an earlier process left, which makes plugins
 * register again. Other files stay, including the checkpoint.
 */
export async function serveDevicePlugins(
  directory: string,
  handlers: ServiceHandlers<RegistrationDefinition>,
): Promise<SocketServer> {
  await removeSockets(directory);
  return await serveSocket(join(directory, KUBELET_SOCKET), [service(RegistrationDefinition, handlers)]);
}

async function removeSockets(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(ifMissing([]))) {
    const path = join(directory, name);
    const found = await stat(path).catch(ifMissing(undefined));
    if (found?.isSocket() === true) await rm(path, { force: true });
  }
}

/** Returns a handler for `catch` that returns a value if a file does not exist. */
const ifMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return value;
  };
