import type { DialRegistration } from '#lib/node/kubelet/pluginmanager/register-plugin.ts';
import { RegistrationDefinition } from '#lib/node/kubelet-api/generated/pluginregistration-v1.ts';
import { connectPlugin } from '../connect-plugin.ts';

/** Maximum bytes of a plugin's message. A plugin's self-description is short. */
const MAX_MESSAGE = 1024 * 1024;

/** Connects to a socket in `plugins_registry`. */
export const dialRegistration: DialRegistration = (socketPath, timeout) =>
  connectPlugin(RegistrationDefinition, socketPath, { timeout, maxMessage: MAX_MESSAGE });
