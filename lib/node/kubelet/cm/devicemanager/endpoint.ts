import type { Clock } from '#lib/machinery/clock.ts';
import type {
  ContainerAllocateResponse,
  DevicePluginOptions,
} from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import type { DevicePluginClient } from '#lib/node/kubelet-api/services.ts';
import { CALL_TIMEOUT, PRE_START_TIMEOUT, STOP_GRACE } from './constants.ts';

/** A plugin that answers. */
export interface ConnectedPlugin {
  readonly api: DevicePluginClient;
  readonly options: DevicePluginOptions;
}

/** The plugin of one resource: connected, or ended some time ago (upstream: endpoint). */
export class Endpoint {
  readonly #resource: string;
  readonly #clock: Clock;
  readonly #plugin: ConnectedPlugin | undefined;
  /** Monotonic milliseconds. */
  #stoppedAt: number | undefined;

  /** Without a plugin the endpoint counts as ended now: of a resource that a checkpoint knows. */
  constructor(resource: string, clock: Clock, plugin?: ConnectedPlugin) {
    this.#resource = resource;
    this.#clock = clock;
    this.#plugin = plugin;
    if (plugin === undefined) this.stop();
  }

  /** Whether containers must be announced to the plugin before they start. */
  get preStartRequired(): boolean {
    return this.#plugin?.options.preStartRequired ?? false;
  }

  /** Whether the plugin has a say in which devices are allocated. */
  get getPreferredAllocationAvailable(): boolean {
    return this.#plugin?.options.getPreferredAllocationAvailable ?? false;
  }

  stop(): void {
    this.#stoppedAt = this.#clock.monotonic();
  }

  /** Whether the plugin ended more than five minutes ago. */
  stopGracePeriodExpired(): boolean {
    return this.#stoppedAt !== undefined && this.#clock.monotonic() - this.#stoppedAt > STOP_GRACE;
  }

  /** The devices that the plugin would choose. Throws RpcError. */
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

  /** Hands devices to a container. Throws RpcError, and Error where the answer has nothing for the container. */
  async allocate(ids: Iterable<string>): Promise<ContainerAllocateResponse> {
    const { containerResponses } = await this.#api().allocate(
      { containerRequests: [{ devicesIds: [...ids] }] },
      { timeout: CALL_TIMEOUT },
    );
    const [response] = containerResponses;
    if (response === undefined) throw new Error('no containers return in allocation response ');
    return response;
  }

  /** Announces a container that starts. Throws RpcError. */
  async preStartContainer(ids: Iterable<string>): Promise<void> {
    await this.#api().preStartContainer({ devicesIds: [...ids] }, { timeout: PRE_START_TIMEOUT });
  }

  #api(): DevicePluginClient {
    if (this.#plugin === undefined || this.#stoppedAt !== undefined)
      throw new Error(`endpoint ${this.#resource} has been stopped`);
    return this.#plugin.api;
  }
}
