import { DevicePluginDefinition } from '#lib/kubelet-api/generated/deviceplugin-v1beta1.ts';
import type { DialPlugin } from '#lib/kubelet/cm/devicemanager/plugin/v1beta1/client.ts';
import { dialSocket } from '../client.ts';

/** Bytes of a plugin's message: what Go's gRPC takes. */
const MAX_MESSAGE = 4 * 1024 * 1024;

/** Connects to the socket of a device plugin. */
export const dialDevicePlugin: DialPlugin = async (socketPath, timeout) => {
  const channel = dialSocket(socketPath, { maxMessage: MAX_MESSAGE });
  try {
    await channel.ready(timeout);
  } catch (error) {
    channel[Symbol.dispose]();
    throw error;
  }
  return { api: channel.client(DevicePluginDefinition), [Symbol.dispose]: () => channel[Symbol.dispose]() };
};
