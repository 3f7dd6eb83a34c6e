import { systemClock as clock } from '#adapters/clock.ts';
import { SocketDRAClients } from '#adapters/node/grpc/dra/clients.ts';
import { RESOURCE_CLAIMS, RESOURCE_SLICES } from '#lib/api/types/resources.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { notFound, StatusError } from '#lib/machinery/errors.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { CheckpointStore } from '#lib/node/kubelet/checkpointmanager/checkpoint-store.ts';
import type { PodView } from '#lib/node/kubelet/cm/active-containers.ts';
import { DeviceHealths } from '#lib/node/kubelet/cm/dra/health.ts';
import { DRAManager } from '#lib/node/kubelet/cm/dra/manager.ts';
import { type DRAPlugin, DRAPlugins } from '#lib/node/kubelet/cm/dra/plugin/dra-plugins.ts';
import { SliceWiper } from '#lib/node/kubelet/cm/dra/resource-slices.ts';
import { watchHealth } from '#lib/node/kubelet/cm/dra/watch-health.ts';
import type { PluginHandler } from '#lib/node/kubelet/pluginmanager/plugin-handler.ts';
import type { Log } from '../log.ts';

/** The inputs of dynamic resources. */
export interface NodeDRAInputs {
  readonly client: Clientset;
  readonly node: string;
  /** The checkpoints in --root-dir. */
  readonly checkpoints: CheckpointStore;
  readonly pods: PodView;
  readonly log: Log;
  podsChanged(podUIDs: readonly string[]): void;
}

interface HealthWatch {
  readonly endpoint: string;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** The dynamic resources of this machine: its drivers, the claims of pods, and the health of devices. */
export class NodeDRA implements PluginHandler, Disposable {
  readonly manager: DRAManager;
  readonly healths = new DeviceHealths(clock);
  readonly #inputs: NodeDRAInputs;
  readonly #clients = new SocketDRAClients();
  readonly #plugins = new DRAPlugins((driver) => this.#changed(driver));
  readonly #wiper: SliceWiper;
  /** Watches by driver name. */
  readonly #watches = new Map<string, HealthWatch>();
  readonly #ended = new AbortController();

  constructor(inputs: NodeDRAInputs) {
    const { client, checkpoints, pods, log } = inputs;
    this.#inputs = inputs;
    this.manager = new DRAManager({
      checkpoints,
      plugins: this.#plugins,
      clients: this.#clients,
      pods,
      resourceClaim: async (namespace, name) => {
        const claim = await client.get({ resource: RESOURCE_CLAIMS, namespace, name });
        if (claim === undefined) throw notFound(RESOURCE_CLAIMS, name);
        return claim;
      },
      onFault: log.fault('cannot release the claims of a pod that is gone'),
    });
    this.#wiper = new SliceWiper({
      clock,
      deleteResourceSlices: (driver) => deleteResourceSlices(inputs, driver),
      isUsable: (driver) => this.#plugins.get(driver) !== undefined,
      onFault: log.fault('cannot delete ResourceSlices'),
    });
  }

  validatePlugin(name: string, endpoint: string, services: readonly string[]): void {
    this.#plugins.validatePlugin(name, endpoint, services);
  }

  registerPlugin(name: string, endpoint: string, services: readonly string[]): Promise<void> {
    return this.#plugins.registerPlugin(name, endpoint, services);
  }

  deRegisterPlugin(name: string, endpoint: string): void {
    this.#plugins.deRegisterPlugin(name, endpoint);
    this.#clients.release(endpoint);
  }

  /** Deletes the ResourceSlices that drivers published during an earlier run of the agent. Each driver publishes its slices again. */
  wipe(signal: AbortSignal): Promise<void> {
    return this.#wiper.start(signal);
  }

  /** Ends the watches on drivers and the connections to them. */
  [Symbol.dispose](): void {
    this.#ended.abort();
    this.#clients[Symbol.dispose]();
  }

  #changed(driver: string): void {
    void this.#wiper.changed(driver, this.#ended.signal);
    const plugin = this.#plugins.get(driver);
    const before = this.#watches.get(driver);
    if (plugin?.endpoint === before?.endpoint) return;
    before?.stop.abort();
    if (plugin === undefined) this.#watches.delete(driver);
    else this.#watches.set(driver, this.#watch(plugin, before?.ended));
  }

  /** Watches the devices of a plugin. Waits for the end of the previous watch, because its end clears the driver's reports. */
  #watch(plugin: DRAPlugin, before: Promise<void> = Promise.resolve()): HealthWatch {
    const { driverName, endpoint } = plugin;
    const { log } = this.#inputs;
    const stop = new AbortController();
    const config = {
      driverName,
      healths: this.healths,
      clock,
      client: this.#clients.healthClient(plugin),
      podsWithDevice: (...device: [string, string, string]) => this.manager.podsWithDevice(...device),
      podsChanged: (uids: readonly string[]) => this.#inputs.podsChanged(uids),
      onFault: (error: unknown) =>
        log.debug(`driver ${driverName} does not tell the health of its devices: ${messageOfError(error)}`),
    };
    const signal = AbortSignal.any([stop.signal, this.#ended.signal]);
    return { endpoint, stop, ended: before.then(() => watchHealth(config, signal)) };
  }
}

/** Deletes the slices of this node, either of one driver or all. If the API server lacks the resource, there are none. */
async function deleteResourceSlices({ client, node }: NodeDRAInputs, driver: string | undefined): Promise<void> {
  const fieldSelector = `spec.nodeName=${node}${driver === undefined ? '' : `,spec.driver=${driver}`}`;
  try {
    for (const slice of await client.list(RESOURCE_SLICES, { fieldSelector }))
      await client.delete({ resource: RESOURCE_SLICES, namespace: '', name: nameOf(slice) });
  } catch (error) {
    if (!(error instanceof StatusError && error.reason === 'NotFound')) throw error;
  }
}
