import { messageOfError } from '#lib/machinery/error-message.ts';
import type { Device } from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import type { DevicePluginClient } from '#lib/node/kubelet-api/services.ts';
import { CALL_TIMEOUT, DIAL_TIMEOUT, MAX_DEVICE_ID, MAX_DEVICES } from '../../constants.ts';
import type { ConnectedPlugin } from '../../endpoint.ts';

/** The device manager from the perspective of plugin clients (upstream: ClientHandler). */
export interface PluginListener {
  /** Called when a plugin connects. It replaces the resource's previous plugin. Throws Error if there are too many resources. */
  pluginConnected(resource: string, plugin: ConnectedPlugin): void;
  /** Called when the plugin of a resource disconnects. Its devices can no longer be allocated. */
  pluginDisconnected(resource: string): void;
  /** Called with the plugin's list of devices. The plugin's next list waits until the promise resolves. */
  pluginListAndWatch(resource: string, devices: readonly Device[]): Promise<void>;
}

/** A connection to a plugin's socket. */
export interface PluginConnection extends Disposable {
  readonly api: DevicePluginClient;
}

/** Connects to plugins. Rejects if no server responds at the socket within `timeout` milliseconds. */
export type DialPlugin = (socketPath: string, timeout: number) => Promise<PluginConnection>;

/** The connection to the plugin of one resource (upstream: plugin.Client). */
export class PluginClient implements Disposable {
  readonly resource: string;
  readonly #connection: PluginConnection;
  readonly #ended = new AbortController();

  private constructor(resource: string, connection: PluginConnection) {
    this.resource = resource;
    this.#connection = connection;
  }

  /** Connects, and requests the plugin's options. Throws Error with upstream's text. */
  static async connect(
    resource: string,
    socketPath: string,
    dial: DialPlugin,
  ): Promise<[PluginClient, ConnectedPlugin]> {
    const connection = await dial(socketPath, DIAL_TIMEOUT).catch((error: unknown) => {
      throw new Error(`failed to dial device plugin: ${messageOfError(error)}`, { cause: error });
    });
    try {
      const { api } = connection;
      const options = await api.getDevicePluginOptions({}, { timeout: CALL_TIMEOUT });
      return [new PluginClient(resource, connection), { api, options }];
    } catch (error) {
      connection[Symbol.dispose]();
      throw new Error(`failed to get device plugin options: ${messageOfError(error)}`, { cause: error });
    }
  }

  /**
   * Calls `told` with every list of devices until the stream ends. Resolves when the client is closed, and rejects if the plugin ends the
   * stream.
   */
  async run(told: (devices: readonly Device[]) => Promise<void>): Promise<void> {
    const { signal } = this.#ended;
    try {
      for await (const { devices } of this.#connection.api.listAndWatch({}, { signal })) {
        if (signal.aborted) return;
        checkBounds(this.resource, devices);
        await told(devices);
      }
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    if (!signal.aborted) throw new Error(`ListAndWatch ended unexpectedly for device plugin ${this.resource}`);
  }

  /** Closes the stream and the connection. */
  [Symbol.dispose](): void {
    this.#ended.abort();
    this.#connection[Symbol.dispose]();
  }
}

/** Plugins are not trusted: a list with more devices than any machine has ends the stream. */
function checkBounds(resource: string, devices: readonly Device[]): void {
  if (devices.length > MAX_DEVICES)
    throw new RangeError(`device plugin ${resource} has ${devices.length} devices, more than ${MAX_DEVICES}`);
  if (devices.some(({ ID }) => ID.length > MAX_DEVICE_ID))
    throw new RangeError(`device plugin ${resource} has a device whose ID is longer than ${MAX_DEVICE_ID} characters`);
}
