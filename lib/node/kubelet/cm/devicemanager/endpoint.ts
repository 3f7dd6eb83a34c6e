import type { Clock } from '#lib/machinery/clock.ts';
import type {
  ContainerAllocateResponse,
  DevicePluginOptions,
} from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import type { DevicePluginClient } from '#lib/node/kubelet-api/services.ts';
import { CALL_TIMEOUT, PRE_START_TIMEOUT, STOP_GRACE } from './constants.ts';

/** A connected plugin. */
export interface ConnectedPlugin {
  readonly api: DevicePluginClient;
  readonly options: DevicePluginOptions;
}

/** The plugin of one resource, either connected or stopped (upstream: endpoint). */
export class Endpoint {
  readonly #resource: string;
  readonly #clock: Clock;
  readonly #plugin: ConnectedPlugin | undefined;
  /** Monotonic time in milliseconds. */
  #stoppedAt: number | undefined;

  /** Without a plugin, the endpoint counts as stopped now. Resources from a checkpoint have no plugin. */
  constructor(resource: string, clock: Clock, plugin?: ConnectedPlugin) {
    this.#resource = resource;
    this.#clock = clock;
    this.#plugin = plugin;
    if (plugin === undefined) this.stop();
  }

  /** Whether the plugin requires PreStartContainer before a container starts. */
  get preStartRequired(): boolean {
    return this.#plugin?.options.preStartRequired ?? false;
  }

  /** Whether the plugin can prefer devices for an allocation. */
  get getPreferredAllocationAvailable(): boolean {
    return this.#plugin?.options.getPreferredAllocationAvailable ?? false;
  }

  stop(): void {
    this.#stoppedAt = this.#clock.monotonic();
  }

  /** Whether the plugin stopped more than five minutes ago. */
  stopGracePeriodExpired(): boolean {
    return this.#stoppedAt !== undefined && this.#clock.monotonic() - this.#stoppedAt > STOP_GRACE;
  }

  /** The devices that the plugin prefers. Throws RpcError. */
  async getPreferredAllocation(request: {
    readonly available: Iterable<string>;
    readonly mustInclude: Iterable<string>;
    readonly size: number;
  }): Promise<string[]> {
    const { containerResponses } = await this.#api().getPreferredAllocation(
      {
        containerRequests: [
          {
            availableDeviceIDs: [...request.available],
            mustIncludeDeviceIDs: [...request.mustInclude],
            allocationSize: request.size,
          },
        ],
      },
      { timeout: CALL_TIMEOUT },
    );
    return containerResponses[0]?.deviceIDs ?? [];
  }

  /** Allocates devices to a container. Throws RpcError, or Error if the response has no entry for the container. */
  async allocate(ids: Iterable<string>): Promise<ContainerAllocateResponse> {
    const { containerResponses } = await this.#api().allocate(
      { containerRequests: [{ devicesIds: [...ids] }] },
      { timeout: CALL_TIMEOUT },
    );
    const [response] = containerResponses;
    if (response === undefined) throw new Error('no containers return in allocation response ');
    return response;
  }

  /** Calls PreStartContainer. Throws RpcError. */
  async preStartContainer(ids: Iterable<string>): Promise<void> {
    await this.#api().preStartContainer({ devicesIds: [...ids] }, { timeout: PRE_START_TIMEOUT });
  }

  #api(): DevicePluginClient {
    if (this.#plugin === undefined || this.#stoppedAt !== undefined)
      throw new Error(`endpoint ${this.#resource} has been stopped`);
    return this.#plugin.api;
  }
}
