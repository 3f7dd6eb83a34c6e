import type { Clock } from '#lib/machinery/clock.ts';
import { OperationBackoff } from '../util/exponentialbackoff/operation-backoff.ts';
import type { PluginDirectory, PluginSocket } from './plugin-directory.ts';
import type { PluginHandler } from './plugin-handler.ts';
import { type DialRegistration, type PluginInfo, registerPlugin } from './register-plugin.ts';

/** Interval in ms between two checks of the directory without a notification. */
const LOOP = 1000;
/** Maximum number of sockets to check. */
const MAX_SOCKETS = 1000;

/** The settings and ports of a plugin manager. */
export interface PluginManagerOptions {
  readonly directory: PluginDirectory;
  readonly dial: DialRegistration;
  readonly clock: Clock;
  /** Called with the reason why a plugin is not registered. */
  onFault(error: unknown): void;
}

interface Operation {
  isPending: boolean;
  /** The identity of the socket. A recreated socket is retried at once. */
  readonly identity: string;
}

/**
 * Registers the plugins whose sockets are in a directory, and deregisters those whose sockets were removed or recreated (upstream:
 * pluginmanager). The directory is the desired state, so a missed event only costs a second.
 */
export class PluginManager {
  readonly #options: PluginManagerOptions;
  readonly #handlers = new Map<string, PluginHandler>();
  /** The actual state by socket. */
  readonly #registered = new Map<string, PluginInfo>();
  readonly #operations = new Map<string, Operation>();
  readonly #backoff = new OperationBackoff();

  constructor(options: PluginManagerOptions) {
    this.#options = options;
  }

  /** Sets the handler for plugins of a type: `CSIPlugin`, `DRAPlugin`, `DevicePlugin`. */
  addHandler(type: string, handler: PluginHandler): void {
    this.#handlers.set(type, handler);
  }

  /** The registered plugins. */
  get registered(): readonly PluginInfo[] {
    return [...this.#registered.values()];
  }

  /** Reconciles until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { directory, clock, onFault } = this.#options;
    let wake: AbortController = new AbortController();
    directory.watch(() => wake.abort(), signal);
    while (!signal.aborted) {
      wake = new AbortController();
      await this.reconcile().catch(onFault);
      await clock.sleep(LOOP, AbortSignal.any([signal, wake.signal]));
    }
  }

  /** Starts the operations that lead to the desired state. Resolves after the handlers of removed sockets were called. */
  async reconcile(): Promise<void> {
    const sockets = await this.#options.directory.sockets();
    if (sockets.length > MAX_SOCKETS)
      this.#options.onFault(new RangeError(`of ${sockets.length} sockets of plugins the first ${MAX_SOCKETS} count`));
    const desired = new Map(sockets.slice(0, MAX_SOCKETS).map((socket) => [socket.path, socket]));
    for (const plugin of this.#registered.values()) {
      if (desired.get(plugin.socketPath)?.identity === plugin.identity) continue;
      if (this.#operations.get(plugin.socketPath)?.isPending === true) continue;
      this.#registered.delete(plugin.socketPath);
      plugin.handler.deRegisterPlugin(plugin.name, plugin.endpoint);
    }
    for (const socket of desired.values())
      if (!this.#registered.has(socket.path) && this.#mayStart(socket)) void this.#register(socket);
    for (const [path, { isPending }] of this.#operations) if (!isPending && !desired.has(path)) this.#forget(path);
  }

  #mayStart({ path, identity }: PluginSocket): boolean {
    const before = this.#operations.get(path);
    if (before === undefined) return true;
    if (before.isPending) return false;
    return before.identity !== identity || this.#backoff.mayStart(path, this.#options.clock.monotonic());
  }

  #forget(path: string): void {
    this.#operations.delete(path);
    this.#backoff.reset(path);
  }

  /** Registers one plugin, without delaying others. */
  async #register({ path, identity }: PluginSocket): Promise<void> {
    const { clock, dial, onFault } = this.#options;
    if (this.#operations.get(path)?.identity !== identity) this.#forget(path);
    const operation: Operation = { isPending: true, identity };
    this.#operations.set(path, operation);
    try {
      await registerPlugin(path, identity, {
        dial,
        handlers: this.#handlers,
        added: (plugin) => void this.#registered.set(path, plugin),
        removed: () => void this.#registered.delete(path),
      });
      this.#forget(path);
    } catch (error) {
      operation.isPending = false;
      this.#backoff.failed(path, clock.monotonic());
      onFault(error);
    }
  }
}
