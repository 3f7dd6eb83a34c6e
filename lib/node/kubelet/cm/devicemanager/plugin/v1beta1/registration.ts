import { isExtendedResource } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { quote, quoteList } from '#lib/machinery/go.ts';
import type { Empty, RegisterRequest } from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import type { PluginHandler } from '../../../../pluginmanager/plugin-handler.ts';
import { MAX_ATTEMPTS, MAX_RESOURCES, SUPPORTED_VERSIONS, VERSION } from '../../constants.ts';
import { type DialPlugin, PluginClient, type PluginListener } from './client.ts';

/** The settings and ports of the registration. */
export interface RegistrationOptions {
  /** The absolute path of the device plugin directory. */
  readonly socketDir: string;
  readonly listener: PluginListener;
  readonly dial: DialPlugin;
  /** Called for each successful registration, for metrics. */
  registered(resource: string): void;
  /** Called with the reason why a plugin's stream ended. */
  onFault(error: unknown): void;
}

/** Registers device plugins, via their own socket and via the plugin watcher (upstream: plugin.Server). */
export class DevicePluginRegistration implements PluginHandler, Disposable {
  readonly #options: RegistrationOptions;
  readonly #clients = new Map<string, PluginClient>();
  /** The latest attempt for each resource. An earlier attempt that ends later is discarded. */
  readonly #attempts = new Map<string, symbol>();
  /** Number of attempts in progress for each resource. */
  readonly #underWay = new Map<string, number>();

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  /** Handles a plugin's own registration (v1beta1.Registration). Throws Error with upstream's text. */
  async register({ version, endpoint, resourceName }: RegisterRequest): Promise<Empty> {
    if (!SUPPORTED_VERSIONS.includes(version))
      throw new Error(
        `requested API version ${quote(version)} is not supported by kubelet. Supported version is ${quoteList(SUPPORTED_VERSIONS)}`,
      );
    if (!isExtendedResource(resourceName)) throw new Error(`the ResourceName ${quote(resourceName)} is invalid`);
    await this.#connect(resourceName, this.#socketOf(endpoint));
    return {};
  }

  /** The socket of an endpoint. Throws Error if the path leaves the directory, which upstream permits. */
  #socketOf(endpoint: string): string {
    const inside = endpoint.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
    if (!inside || endpoint.includes('\0')) throw new Error(`the Endpoint ${quote(endpoint)} is invalid`);
    return `${this.#options.socketDir.replace(/\/$/, '')}/${endpoint}`;
  }

  validatePlugin(name: string, _: string, versions: readonly string[]): void {
    if (!versions.some((version) => SUPPORTED_VERSIONS.includes(version)))
      throw new Error(`manager version, ${VERSION}, is not among plugin supported versions [${versions.join(' ')}]`);
    if (!isExtendedResource(name))
      throw new Error(`invalid name of device plugin socket: the ResourceName ${quote(name)} is invalid`);
  }

  registerPlugin(name: string, endpoint: string): Promise<void> {
    return this.#connect(name, endpoint);
  }

  deRegisterPlugin(name: string): void {
    const client = this.#clients.get(name);
    if (client !== undefined) this.#disconnect(client);
  }

  async #connect(resource: string, socketPath: string): Promise<void> {
    const others = this.#underWay.get(resource) ?? 0;
    if (others >= MAX_ATTEMPTS) throw new Error(`${others} registrations of ${resource} are under way already`);
    this.#underWay.set(resource, others + 1);
    try {
      await this.#connectNow(resource, socketPath);
    } finally {
      const left = (this.#underWay.get(resource) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(resource);
      else this.#underWay.set(resource, left);
    }
  }

  async #connectNow(resource: string, socketPath: string): Promise<void> {
    const { listener, dial, registered, onFault } = this.#options;
    if (!this.#attempts.has(resource) && this.#attempts.size >= MAX_RESOURCES)
      throw new Error(`there are ${MAX_RESOURCES} resources of device plugins already`);
    const attempt = Symbol(resource);
    const before = this.#attempts.get(resource);
    this.#attempts.set(resource, attempt);
    try {
      const [client, plugin] = await PluginClient.connect(resource, socketPath, dial);
      if (this.#attempts.get(resource) !== attempt) {
        client[Symbol.dispose]();
        throw new Error(`another device plugin has registered ${resource} since`);
      }
      try {
        listener.pluginConnected(resource, plugin);
      } catch (error) {
        client[Symbol.dispose]();
        throw error;
      }
      registered(resource);
      const replaced = this.#clients.get(resource);
      this.#clients.set(resource, client);
      replaced?.[Symbol.dispose]();
      void this.#run(client).catch(onFault);
    } catch (error) {
      if (this.#attempts.get(resource) === attempt) this.#restore(resource, before);
      throw error;
    }
  }

  #restore(resource: string, before: symbol | undefined): void {
    if (before === undefined) this.#attempts.delete(resource);
    else this.#attempts.set(resource, before);
  }

  async #run(client: PluginClient): Promise<void> {
    const { listener } = this.#options;
    try {
      await client.run((devices) => listener.pluginListAndWatch(client.resource, devices));
    } finally {
      // The end of a replaced plugin does not affect its successor.
      if (this.#clients.get(client.resource) === client) this.#disconnect(client);
    }
  }

  #disconnect(client: PluginClient): void {
    this.#clients.delete(client.resource);
    this.#attempts.delete(client.resource);
    client[Symbol.dispose]();
    this.#options.listener.pluginDisconnected(client.resource);
  }

  /** Disconnects every plugin. */
  [Symbol.dispose](): void {
    for (const client of this.#clients.values()) this.#disconnect(client);
  }
}
