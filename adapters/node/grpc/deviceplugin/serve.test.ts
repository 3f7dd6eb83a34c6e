import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { DevicePluginRegistration } from '#lib/node/kubelet/cm/devicemanager/plugin/v1beta1/registration.ts';
import { aContainer, aDevice, devices, ManagerFixture, podOf } from '#lib/node/kubelet/cm/devicemanager/testing.ts';
import { eventually } from '#test/support/eventually.ts';
import type { SocketServer } from '../server.ts';
import { dialDevicePlugin } from './dial.ts';
import { serveDevicePlugins } from './serve.ts';
import { SocketPlugin } from './testing.ts';

const GPU = 'example.com/gpu';

let directory: string;
let fixture: ManagerFixture;
let registration: DevicePluginRegistration;
let server: SocketServer;
let faults: string[];
let plugins: SocketPlugin[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'devices-'));
  [fixture, faults, plugins] = [new ManagerFixture(), [], []];
  registration = new DevicePluginRegistration({
    socketDir: directory,
    dial: dialDevicePlugin,
    listener: fixture.manager,
    registered: () => undefined,
    onFault: (error) => void faults.push(messageOfError(error)),
  });
  server = await serveDevicePlugins(directory, { register: (request) => registration.register(request) });
});

afterEach(async () => {
  registration[Symbol.dispose]();
  await server.close();
  for (const plugin of plugins) await plugin.stop();
  rmSync(directory, { recursive: true });
});

/** A plugin that serves its own socket. */
async function aPlugin(endpoint = 'gpu.sock', list = devices(2)): Promise<SocketPlugin> {
  const plugin = new SocketPlugin(directory, endpoint, list);
  plugins.push(plugin);
  await plugin.start();
  return plugin;
}

const allocatable = (): number | undefined => fixture.manager.getCapacity().allocatable[GPU];

test('registers a plugin, lists its devices and assigns them to a container', async () => {
  const plugin = await aPlugin();
  await plugin.register(GPU);
  await eventually(() => expect(allocatable()).toBe(2));
  const app = aContainer('app', { [GPU]: 2 });
  const pod = podOf('p', [app]);
  await fixture.admit(pod);
  const options = await fixture.manager.getDeviceRunContainerOptions(pod, app);
  expect(options?.envs).toEqual([{ name: 'DEVICES', value: 'dev1,dev2' }]);
  expect(options?.devices.map(({ pathInContainer }) => pathInContainer)).toEqual(['/dev/dev1', '/dev/dev2']);
});

test('updates allocatable within 500 ms if a device becomes unhealthy', async () => {
  const plugin = await aPlugin();
  await plugin.register(GPU);
  await eventually(() => expect(allocatable()).toBe(2));
  const changes = fixture.capacityChanges;
  const start = performance.now();
  plugin.send([aDevice('dev1', undefined, 'Unhealthy'), aDevice('dev2')]);
  await eventually(() => expect(allocatable()).toBe(1));
  expect(fixture.capacityChanges).toBe(changes + 1);
  expect(performance.now() - start).toBeLessThan(500);
});

test('sets allocatable to zero within 500 ms for a killed plugin, and restores it after a new registration', async () => {
  const plugin = await aPlugin();
  await plugin.register(GPU);
  await eventually(() => expect(allocatable()).toBe(2));
  const start = performance.now();
  await plugin.stop();
  await eventually(() => expect(allocatable()).toBe(0));
  expect(performance.now() - start).toBeLessThan(500);
  await (await aPlugin()).register(GPU);
  await eventually(() => expect(allocatable()).toBe(2));
});

test('replaces a plugin that registers again without an end', async () => {
  const first = await aPlugin();
  await first.register(GPU);
  await eventually(() => expect(allocatable()).toBe(2));
  const second = await aPlugin('new.sock', devices(3));
  await second.register(GPU);
  await eventually(() => expect(allocatable()).toBe(3));
  await first.stop();
  second.send(devices(4));
  await eventually(() => expect(allocatable()).toBe(4));
});

test.each([
  ['v1', GPU, 'requested API version "v1" is not supported by kubelet. Supported version is ["v1beta1"]'],
  ['v1beta1', 'gpu', 'the ResourceName "gpu" is invalid'],
])('rejects a plugin of version %s and resource %s with the reason', async (version, resource, reason) => {
  const plugin = await aPlugin();
  await expect(plugin.register(resource, version)).rejects.toMatchObject({ code: 'Unknown', details: reason });
});

test('disconnects only the plugin for a message beyond 4 MiB', async () => {
  const greedy = await aPlugin('greedy.sock', [aDevice('x'.repeat(5 * 1024 * 1024))]);
  await greedy.register('example.com/greedy');
  await (await aPlugin()).register(GPU);
  await eventually(() => expect(allocatable()).toBe(2));
  await eventually(() => expect(faults).toHaveLength(1));
  expect(faults[0]).toContain('code = ResourceExhausted');
  expect(Object.keys(fixture.manager.getCapacity().allocatable).sort()).toEqual([GPU, 'example.com/greedy']);
});

test('a plugin that hangs in Allocate does not block other pods', async () => {
  const hanging = await aPlugin('hang.sock');
  hanging.allocate = () => new Promise(() => undefined);
  await hanging.register('example.com/hang');
  await (await aPlugin()).register(GPU);
  await eventually(() => allocatable() === 2 && fixture.manager.getCapacity().allocatable['example.com/hang'] === 2);
  const stuck = fixture
    .admit(podOf('stuck', [aContainer('app', { 'example.com/hang': 1 })]))
    .catch((reason: unknown) => messageOfError(reason));
  const pod = podOf('p', [aContainer('app', { [GPU]: 1 })]);
  await fixture.admit(pod);
  expect(fixture.idsOf(pod, 'app')).toEqual(['dev1']);
  await hanging.stop();
  expect(await stuck).toContain('code = Unavailable');
});

test('removes every socket of an earlier process at start, and no other file', async () => {
  await server.close();
  const old = join(directory, 'old.sock');
  const listener = createServer().listen(old);
  await eventually(() => listener.listening);
  await writeFile(join(directory, 'kubelet_internal_checkpoint'), '{}');
  server = await serveDevicePlugins(directory, { register: (request) => registration.register(request) });
  expect((await readdir(directory)).sort()).toEqual(['kubelet.sock', 'kubelet_internal_checkpoint']);
  listener.close();
});
