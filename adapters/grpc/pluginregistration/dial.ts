import { RegistrationDefinition } from '#lib/kubelet-api/generated/pluginregistration-v1.ts';
import type { DialRegistration } from '#lib/kubelet/pluginmanager/register-plugin.ts';
import { dialSocket } from '../client.ts';

/** Bytes of a plugin's message: what it says of itself is short. */
const MAX_MESSAGE = 1024 * 1024;

/** Connects to a socket in `plugins_registry`. */
export const dialRegistration: DialRegistration = async (socketPath, timeout) => {
  const channel = dialSocket(socketPath, { maxMessage: MAX_MESSAGE });
  try {
    await channel.ready(timeout);
  } catch (error) {
    channel[Symbol.dispose]();
    throw error;
  }
  return { api: channel.client(RegistrationDefinition), [Symbol.dispose]: () => channel[Symbol.dispose]() };
};
