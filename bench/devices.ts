import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialDevicePlugin } from '#adapters/node/grpc/deviceplugin/dial.ts';
import { serveDevicePlugins } from '#adapters/node/grpc/deviceplugin/serve.ts';
import { SocketPlugin } from '#adapters/node/grpc/deviceplugin/testing.ts';
import { FileCheckpoints } from '#adapters/node/host/records/checkpoint-store.ts';
import type { CheckpointStore } from '#lib/node/kubelet/checkpointmanager/checkpoint-store.ts';
import { DevicePluginRegistration } from '#lib/node/kubelet/cm/devicemanager/plugin/v1beta1/registration.ts';
import { aContainer, devices, ManagerFixture, podOf } from '#lib/node/kubelet/cm/devicemanager/testing.ts';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { eventually } from '#test/support/eventually.ts';
import { latencies, quantile } from './samples.ts';

const FLAPPING = join(import.meta.dirname, 'flapping-agent.ts');
const PLUGINS = 10;
const DEVICES = devices(1000);
/** Pods on a node. */
const PODS = 110;
const SAMPLES = 1000;

const resource = (index: number): string => `example.com/r${index % PLUGINS}`;

/**
 * Prints the time that a device adds to a pod's admission, which includes the plugin's call over its socket and the checkpoint. Also prints
 * the other costs of devices.
 */
export async function measureDevices(): Promise<void> {
  for (const [name, store] of [
    ['without fsync', withoutSync],
    ['with fsync', (directory: string) => new FileCheckpoints(directory)],
  ] as const) {
    const directory = await mkdtemp(join(tmpdir(), 'devices-'));
    const before = process.cpuUsage();
    const samples = await allocations(directory, store(directory));
    const { user, system } = process.cpuUsage(before);
    await rm(directory, { recursive: true });
    const each = ((user + system) / 1000 / (PODS + SAMPLES)).toFixed(2);
    console.log(`Allocate ${name}: ${shown(samples)}; processor time of agent and plugin ${each} ms`);
  }
  await measureSocket();
  await measureHealth();
  await measureFlapping();
}

const shown = (samples: readonly number[]): string =>
  [0.5, 0.99].map((share) => `p${share * 100} ${quantile(samples, share).toFixed(2)} ms`).join(', ');

/** The time that the agent takes to listen on kubelet.sock, once it has everything that it needs. */
async function measureSocket(): Promise<void> {
  const samples = await latencies(100, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'devices-'));
    const server = await serveDevicePlugins(directory, { register: async () => ({}) });
    await server.close();
    await rm(directory, { recursive: true });
  });
  console.log(`kubelet.sock listens, and is closed: ${shown(samples)}`);
}

/** The time from a plugin's list to the node's new allocatable. The node's status update follows 100 ms later. */
async function measureHealth(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'devices-'));
  const fixture = new ManagerFixture({ store: new FileCheckpoints(directory) });
  const registration = registrationOf(directory, fixture);
  await using _server = await serveDevicePlugins(directory, { register: (request) => registration.register(request) });
  const plugin = new SocketPlugin(directory, 'p.sock', DEVICES);
  await plugin.start();
  await plugin.register(resource(0));
  const allocatable = () => fixture.manager.getCapacity().allocatable[resource(0)];
  await eventually(() => allocatable() === DEVICES.length);
  const samples = await latencies(200, async (index) => {
    const [first, ...others] = DEVICES;
    const isBroken = index % 2 === 0;
    if (first !== undefined) plugin.send([{ ...first, health: isBroken ? 'Unhealthy' : 'Healthy' }, ...others]);
    while (allocatable() !== DEVICES.length - Number(isBroken)) await new Promise((resolve) => setImmediate(resolve));
  });
  registration[Symbol.dispose]();
  await plugin.stop();
  await rm(directory, { recursive: true });
  console.log(`health of one device of ${DEVICES.length} until allocatable: ${shown(samples)}`);
}

/** The memory of the agent's device manager, in a separate process, while 2,000 devices change constantly. */
async function measureFlapping(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'devices-'));
  await using agent = new RunningProgram(process.execPath, [FLAPPING, directory]);
  await agent.says(/memory \d+/);
  const plugin = new SocketPlugin(directory, 'p.sock', []);
  plugin.lists = async function* (signal) {
    for (let index = 0; !signal.aborted; index++)
      yield {
        devices: devices(2000).map((device, id) => ({
          ...device,
          health: (id + index) % 2 === 0 ? 'Healthy' : 'broken',
        })),
      };
  };
  await plugin.start();
  await plugin.register(resource(0));
  await agent.says(/(memory \d+\s+){3}/);
  await plugin.stop();
  const [idle, ...flapping] = [...agent.stdout.matchAll(/memory (\d+)/g)].map(([, mebibytes]) => mebibytes);
  console.log(
    `memory of the devices' part: idle ${idle} MiB, after each 1,000 lists of 2,000 devices ${flapping.join(', ')} MiB`,
  );
  await agent.ended('SIGKILL');
  await rm(directory, { recursive: true });
}

const registrationOf = (socketDir: string, { manager }: ManagerFixture): DevicePluginRegistration =>
  new DevicePluginRegistration({
    socketDir,
    dial: dialDevicePlugin,
    listener: manager,
    registered: () => undefined,
    onFault: () => undefined,
  });

async function allocations(directory: string, store: CheckpointStore): Promise<number[]> {
  const fixture = new ManagerFixture({ store });
  const registration = registrationOf(directory, fixture);
  await using _server = await serveDevicePlugins(directory, { register: (request) => registration.register(request) });
  const plugins = Array.from({ length: PLUGINS }, (_, index) => new SocketPlugin(directory, `p${index}.sock`, DEVICES));
  for (const [index, plugin] of plugins.entries()) {
    await plugin.start();
    await plugin.register(resource(index));
  }
  await eventually(() => Object.values(fixture.manager.getCapacity().allocatable).length === PLUGINS);
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

/** Checkpoints in files that are not synced, so a crash of the machine may lose them. */
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
