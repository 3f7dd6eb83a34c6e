import { messageOfError } from '#lib/machinery/error-message.ts';
import type { RegistrationClient } from '#lib/node/kubelet-api/services.ts';
import type { PluginHandler } from './plugin-handler.ts';

const DIAL_TIMEOUT = 10_000;
const INFO_TIMEOUT = 1000;
const NOTIFY_TIMEOUT = 5000;

/** Limits for a plugin's information: characters of its name and endpoint, and number of versions. */
const MAX_TEXT = 1024;
const MAX_VERSIONS = 64;

/** A connection to a socket of `plugins_registry`. */
export interface RegistrationConnection extends Disposable {
  readonly api: RegistrationClient;
}

/** Connects to a plugin. Rejects if no server responds within `timeout` milliseconds. */
export type DialRegistration = (socketPath: string, timeout: number) => Promise<RegistrationConnection>;

/** A registered plugin, or one that is being registered. */
export interface PluginInfo {
  readonly socketPath: string;
  /** The identity of the socket that the plugin registered at. */
  readonly identity: string;
  readonly handler: PluginHandler;
  readonly name: string;
  readonly endpoint: string;
}

/** The parts of the plugin manager for a registration. */
export interface RegisterPorts {
  readonly dial: DialRegistration;
  readonly handlers: ReadonlyMap<string, PluginHandler>;
  /** Called before the handler, so that a socket removed meanwhile is deregistered. */
  added(plugin: PluginInfo): void;
  removed(socketPath: string): void;
}

/**
 * Registers the plugin behind a socket with the handler for its type, and notifies it of the result (upstream: GenerateRegisterPluginFunc).
 * Throws Error with upstream's text.
 */
export async function registerPlugin(socketPath: string, identity: string, ports: RegisterPorts): Promise<void> {
  using connection = await ports.dial(socketPath, DIAL_TIMEOUT).catch((error: unknown) => {
    const why = `failed to dial socket ${socketPath}, err: ${messageOfError(error)}`;
    throw failure(`dial failed at socket ${socketPath}, err: ${why}`, error);
  });
  const { api } = connection;
  const info = await api.getInfo({}, { timeout: INFO_TIMEOUT }).catch((error: unknown) => {
    const why = messageOfError(error);
    throw failure(`failed to get plugin info using RPC GetInfo at socket ${socketPath}, err: ${why}`, error);
  });
  const { type, name, supportedVersions } = info;
  const endpoint = info.endpoint === '' ? socketPath : info.endpoint;
  if ([type, name, endpoint].some((text) => text.length > MAX_TEXT) || supportedVersions.length > MAX_VERSIONS)
    return await refuse(api, socketPath, 'the plugin says more of itself than the kubelet reads');
  const handler = ports.handlers.get(type);
  if (handler === undefined)
    return await refuse(api, socketPath, `no handler registered for plugin type: ${type} at socket ${socketPath}`);
  try {
    handler.validatePlugin(name, endpoint, supportedVersions);
  } catch (error) {
    return await refuse(api, socketPath, `plugin validation failed with err: ${messageOfError(error)}`);
  }
  ports.added({ socketPath, identity, handler, name, endpoint });
  try {
    await handler.registerPlugin(name, endpoint, supportedVersions);
  } catch (error) {
    ports.removed(socketPath);
    return await refuse(api, socketPath, `plugin registration failed with err: ${messageOfError(error)}`);
  }
  try {
    await api.notifyRegistrationStatus({ pluginRegistered: true, error: '' }, { timeout: NOTIFY_TIMEOUT });
  } catch (error) {
    ports.removed(socketPath);
    handler.deRegisterPlugin(name, endpoint);
    throw failure(`failed to send registration status at socket ${socketPath}, err: : ${messageOfError(error)}`, error);
  }
}

/** Notifies a plugin of the reason why it is not registered, and throws that reason. */
async function refuse(api: RegistrationClient, socketPath: string, reason: string): Promise<never> {
  const refusal = failure(reason);
  try {
    const status = { pluginRegistered: false, error: refusal.message };
    await api.notifyRegistrationStatus(status, { timeout: NOTIFY_TIMEOUT });
  } catch (error) {
    const why = `${refusal.message}: ${messageOfError(error)}`;
    throw failure(`failed to send error at socket ${socketPath}, err: ${why}`, error);
  }
  throw refusal;
}

const failure = (reason: string, cause?: unknown): Error => new Error(`RegisterPlugin error -- ${reason}`, { cause });
