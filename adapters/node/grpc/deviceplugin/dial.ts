import type { DialPlugin } from '#lib/node/kubelet/cm/devicemanager/plugin/v1beta1/client.ts';
import { DevicePluginDefinition } from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import { connectPlugin } from '../connect-plugin.ts';

/** Maximum bytes of a plugin's message, which is the limit of Go's gRPC. */
const MAX_MESSAGE = 4 * 1024 * 1024;

/** Connects to the socket of a device plugin. */
export const dialDevicePlugin: DialPlugin = (socketPath, timeout) =>
  connectPlugin(DevicePluginDefinition, socketPath, { timeout, maxMessage: MAX_MESSAGE });
