import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveDevicePlugins } from '#adapters/grpc/deviceplugin/serve.ts';
import { dialDevicePlugin } from '#adapters/grpc/deviceplugin/dial.ts';
import { SocketPlugin } from '#adapters/grpc/deviceplugin/testing.ts';
import { FileCheckpoints } from '#adapters/host/checkpoint-store.ts';
import type { CheckpointStore } from '#lib/kubelet/checkpointmanager/checkpoint-store.ts';
import { DevicePluginRegistration } from '#lib/kubelet/cm/devicemanager/plugin/v1beta1/registration.ts';
import { aContainer, devices, ManagerFixture, podOf } from '#lib/kubelet/cm/devicemanager/testing.ts';
import { until } from '#test/until.ts';
import { latencies, quantile } from './samples.ts';

const PLUGINS = 10;
const DEVICES = devices(1000);
/** Pods that a node has. */
const PODS = 110;
const SAMPLES = 1000;

const resource = (index: number): string => `example.com/r${index % PLUGINS}`;

/** Prints how long the admission of a pod with a device takes: the plugin's call over its socket, and the checkpoint. */
export async function measureDevices(): Promise<void> {
  for (const [name, store] of [
    ['without fsync', withoutSync],
    ['with fsync', (directory: string) => new FileCheckpoints(directory)],
  ] as const) {
    const directory = await mkdtemp(join(tmpdir(), 'devices-'));
    const samples = await allocations(directory, store(directory));
    await rm(directory, { recursive: true });
    const shown = [0.5, 0.99].map((share) => `p${share * 100} ${quantile(samples, share).toFixed(2)} ms`);
    console.log(`Allocate ${name}: ${shown.join(', ')}`);
  }
}

async function allocations(directory: string, store: CheckpointStore): Promise<number[]> {
  const fixture = new ManagerFixture({ store });
  const registration = new DevicePluginRegistration({
    socketDir: directory,
    dial: dialDevicePlugin,
    listener: fixture.manager,
    registered: () => undefined,
    onFault: () => undefined,
  });
  await using _server = await serveDevicePlugins(directory, { register: (request) => registration.register(request) });
  const plugins = Array.from({ length: PLUGINS }, (_, index) => new SocketPlugin(directory, `p${index}.sock`, DEVICES));
  for (const [index, plugin] of plugins.entries()) {
    await plugin.start();
    await plugin.register(resource(index));
  }
  await until(() => Object.values(fixture.manager.getCapacity().allocatable).length === PLUGINS);
  const admit = (index: number): Promise<void> => {
    if (fixture.pods.length === PODS) fixture.pods.shift();
    return fixture.admit(podOf(`p${index}`, [aContainer('app', { [resource(index)]: 1 })]));
  };
  await latencies(PODS, admit);
  const samples = await latencies(SAMPLES, (index) => admit(PODS + index));
  registration[Symbol.dispose]();
  for (const plugin of plugins) await plugin.stop();
  return samples;
}

/** Checkpoints as files that a crash of the machine may lose. */
function withoutSync(directory: string): CheckpointStore {
  const files = new FileCheckpoints(directory);
  return {
    read: (key) => files.read(key),
    delete: (key) => files.delete(key),
    list: () => files.list(),
    async write(key, data) {
      await writeFile(join(directory, `.${key}.new`), data);
      await rename(join(directory, `.${key}.new`), join(directory, key));
    },
  };
}
