import { messageOfError } from '#lib/machinery/error-message.ts';
import { quoteList } from '#lib/machinery/go.ts';
import type { PluginHandler } from '../../../pluginmanager/plugin-handler.ts';

/** DRA driver services that the kubelet can call, newest first, by their registration names. */
const SERVICES: readonly string[] = ['v1.DRAPlugin', 'v1beta1.DRAPlugin'];

/** The registered plugin of a DRA driver. */
export interface DRAPlugin {
  readonly driverName: string;
  /** The path of the plugin's socket. */
  readonly endpoint: string;
  /** The newest service that both sides support, such as `v1.DRAPlugin`. */
  readonly chosenService: string;
}

/** DRA drivers by name (upstream: DRAPluginManager). A driver may have two plugins during an update. */
export class DRAPlugins implements PluginHandler {
  readonly #plugins = new Map<string, readonly DRAPlugin[]>();
  readonly #changed: (driverName: string) => void;

  /** `changed` is called after a plugin of the driver was added or removed. */
  constructor(changed: (driverName: string) => void) {
    this.#changed = changed;
  }

  /** The driver's last registered plugin, or undefined if it has none. */
  get(driverName: string): DRAPlugin | undefined {
    return this.#plugins.get(driverName)?.at(-1);
  }

  validatePlugin(driverName: string, endpoint: string, services: readonly string[]): void {
    try {
      chosenService(services);
    } catch (error) {
      const what = `invalid supported gRPC versions of DRA driver plugin ${driverName} at endpoint ${endpoint}`;
      throw new Error(`${what}: ${messageOfError(error)}`, { cause: error });
    }
  }

  async registerPlugin(driverName: string, endpoint: string, services: readonly string[]): Promise<void> {
    this.validatePlugin(driverName, endpoint, services);
    const plugins = this.#plugins.get(driverName) ?? [];
    if (plugins.some((plugin) => plugin.endpoint === endpoint))
      throw new Error(`endpoint ${endpoint} already registered for DRA driver plugin ${driverName}`);
    this.#plugins.set(driverName, [...plugins, { driverName, endpoint, chosenService: chosenService(services) }]);
    this.#changed(driverName);
  }

  deRegisterPlugin(driverName: string, endpoint: string): void {
    const plugins = this.#plugins.get(driverName) ?? [];
    const rest = plugins.filter((plugin) => plugin.endpoint !== endpoint);
    if (rest.length === plugins.length) return;
    if (rest.length > 0) this.#plugins.set(driverName, rest);
    else this.#plugins.delete(driverName);
    this.#changed(driverName);
  }
}

/** The newest service that the kubelet also supports, regardless of the plugin's order. */
function chosenService(services: readonly string[]): string {
  if (services.length === 0) throw new Error('empty list of supported gRPC services (aka supported versions)');
  const chosen = SERVICES.find((service) => services.includes(service));
  if (chosen === undefined)
    throw new Error(
      `none of services supported by the plugin (${quoteList(services)}) are supported by the kubelet (${quoteList(SERVICES)})`,
    );
  return chosen;
}
