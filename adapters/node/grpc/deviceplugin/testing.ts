import { join } from 'node:path';
import { untilAborted } from '#lib/machinery/wait/unless-aborted.ts';
import {
  type AllocateResponse,
  type Device,
  DevicePluginDefinition,
  RegistrationDefinition,
} from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import { dialSocket } from '../client.ts';
import { type SocketServer, serveSocket, service } from '../server.ts';

/** A device plugin with its own socket in the folder of device plugins. */
export class SocketPlugin {
  readonly #directory: string;
  readonly #endpoint: string;
  #server: SocketServer | undefined;
  #devices: readonly Device[];
  /** Resolves when every open stream must send a new list. */
  #changed = Promise.withResolvers<void>();
  /** Answers Allocate. */
  allocate: (ids: readonly string[]) => Promise<AllocateResponse> = async (ids) => ({
    containerResponses: [
      {
        envs: { DEVICES: ids.join(',') },
        mounts: [],
        devices: ids.map((id) => ({ containerPath: `/dev/${id}`, hostPath: '/dev/null', permissions: 'rw' })),
        annotations: {},
        cdiDevices: [],
      },
    ],
  });

  /** Answers ListAndWatch. */
  lists: (signal: AbortSignal) => AsyncGenerator<{ devices: Device[] }> = (signal) => this.#newest(signal);

  constructor(directory: string, endpoint: string, devices: readonly Device[]) {
    this.#directory = directory;
    this.#endpoint = endpoint;
    this.#devices = devices;
  }

  /** Serves the socket. */
  async start(): Promise<void> {
    this.#server = await serveSocket(join(this.#directory, this.#endpoint), [
      service(DevicePluginDefinition, {
        getDevicePluginOptions: async () => ({ preStartRequired: false, getPreferredAllocationAvailable: false }),
        listAndWatch: (_, signal) => this.lists(signal),
        getPreferredAllocation: async () => ({ containerResponses: [] }),
        allocate: ({ containerRequests }) => this.allocate(containerRequests[0]?.devicesIds ?? []),
        preStartContainer: async () => ({}),
      }),
    ]);
  }

  /** Registers at the kubelet's socket. Throws RpcError with the kubelet's reason. */
  async register(resourceName: string, version = 'v1beta1'): Promise<void> {
    using channel = dialSocket(join(this.#directory, 'kubelet.sock'));
    const request = { version, resourceName, endpoint: this.#endpoint };
    await channel.client(RegistrationDefinition).register(request, { timeout: 20_000 });
  }

  /** Sends another list of devices. */
  send(devices: readonly Device[]): void {
    this.#devices = devices;
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }

  async *#newest(signal: AbortSignal): AsyncGenerator<{ devices: Device[] }> {
    while (!signal.aborted) {
      const { promise } = this.#changed;
      yield { devices: [...this.#devices] };
      await untilAborted(promise, signal);
    }
  }

  /** Ends in the same way as a killed process. */
  async stop(): Promise<void> {
    await this.#server?.close();
  }
}
