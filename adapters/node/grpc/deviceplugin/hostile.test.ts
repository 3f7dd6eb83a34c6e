import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { CHECKPOINT, MAX_ATTEMPTS } from '#lib/node/kubelet/cm/devicemanager/constants.ts';
import { DevicePluginRegistration } from '#lib/node/kubelet/cm/devicemanager/plugin/v1beta1/registration.ts';
import { aContainer, aDevice, devices, ManagerFixture, podOf } from '#lib/node/kubelet/cm/devicemanager/testing.ts';
import type { Device } from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import { eventually } from '#test/support/eventually.ts';
import { settled } from '#test/support/settled.ts';
import type { SocketServer } from '../server.ts';
import { dialDevicePlugin } from './dial.ts';
import { serveDevicePlugins } from './serve.ts';
import { SocketPlugin } from './testing.ts';

const GPU = 'example.com/gpu';
const HOSTILE = 'example.com/hostile';

let directory: string;
let fixture: ManagerFixture;
let registration: DevicePluginRegistration;
let server: SocketServer;
let faults: string[];
let plugins: SocketPlugin[];
/** The number of received lists, and a function called with each. */
let lists: number;
let arrived: (resource: string, list: readonly Device[]) => Promise<void>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'devices-'));
  [fixture, faults, plugins, lists] = [new ManagerFixture(), [], [], 0];
  arrived = async () => undefined;
  const { manager } = fixture;
  registration = new DevicePluginRegistration({
    socketDir: directory,
    dial: dialDevicePlugin,
    listener: {
      pluginConnected: (...plugin) => manager.pluginConnected(...plugin),
      pluginDisconnected: (resource) => manager.pluginDisconnected(resource),
      async pluginListAndWatch(resource, list) {
        if (resource === HOSTILE) lists++;
        await arrived(resource, list);
        await manager.pluginListAndWatch(resource, list);
      },
    },
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

async function aPlugin(endpoint: string, list: readonly Device[]): Promise<SocketPlugin> {
  const plugin = new SocketPlugin(directory, endpoint, list);
  plugins.push(plugin);
  await plugin.start();
  return plugin;
}

const allocatable = (resource: string): number | undefined => fixture.manager.getCapacity().allocatable[resource];

/** Checks that a pod gets the device of a well-behaved plugin. */
async function othersStillGetDevices(): Promise<void> {
  await (await aPlugin('gpu.sock', devices(2))).register(GPU);
  await eventually(() => expect(allocatable(GPU)).toBe(2));
  const pod = podOf('honest', [aContainer('app', { [GPU]: 2 })]);
  await fixture.admit(pod);
  expect(fixture.idsOf(pod, 'app')).toEqual(['dev1', 'dev2']);
}

test('queues few of the lists that a plugin sends without a pause, and uses the last one', async () => {
  const [UPDATES, IDS] = [1000, 100];
  const flapping = (index: number): Device[] =>
    devices(IDS).map((device, id) => ({ ...device, health: (index + id) % 2 === 0 ? 'Healthy' : 'Unhealthy' }));
  const [even, odd] = [flapping(0), flapping(1)];
  const flood = await aPlugin('hostile.sock', even);
  let sent = 0;
  let mostWaiting = 0;
  flood.lists = async function* (signal) {
    for (; sent < UPDATES; sent++) yield { devices: sent % 2 === 0 ? even : odd };
    yield { devices: devices(IDS + 1) };
    await once(signal, 'abort');
  };
  arrived = async () => {
    mostWaiting = Math.max(mostWaiting, sent - lists);
    await settled();
  };
  await flood.register(HOSTILE);
  await othersStillGetDevices();
  await eventually(() => expect(allocatable(HOSTILE)).toBe(IDS + 1));
  expect(lists).toBe(UPDATES + 1);
  // Each list takes about 1.7 KB, so HTTP/2's window of 64 KiB holds 38 lists.
  expect(mostWaiting).toBeLessThan(64);
  expect(faults).toEqual([]);
});

test('disconnects a plugin with 100,000 devices and keeps none of them', async () => {
  await (await aPlugin('hostile.sock', devices(100_000))).register(HOSTILE);
  await eventually(() => expect(faults).toHaveLength(1));
  expect(faults[0]).toBe(`device plugin ${HOSTILE} has 100000 devices, more than 65536`);
  expect(allocatable(HOSTILE)).toBe(0);
  await othersStillGetDevices();
  expect(fixture.store.text(CHECKPOINT).length).toBeLessThan(1024);
});

test.each([
  ['a list of 5 MiB', [aDevice('x'.repeat(5 * 1024 * 1024))], 'code = ResourceExhausted'],
  ['an ID of 1,025 characters', [aDevice('x'.repeat(1025))], 'longer than 1024 characters'],
])('disconnects a plugin that sends %s', async (_, list, fault) => {
  await (await aPlugin('hostile.sock', list)).register(HOSTILE);
  await eventually(() => expect(faults).toHaveLength(1));
  expect(faults[0]).toContain(fault);
  expect(allocatable(HOSTILE)).toBe(0);
  await othersStillGetDevices();
});

test('fails the pod for an Allocate response of 5 MiB and frees its devices', async () => {
  const hostile = await aPlugin('hostile.sock', devices(1));
  const { allocate } = hostile;
  hostile.allocate = async () => ({
    containerResponses: [
      { envs: { X: 'x'.repeat(5 * 1024 * 1024) }, mounts: [], devices: [], annotations: {}, cdiDevices: [] },
    ],
  });
  await hostile.register(HOSTILE);
  await eventually(() => expect(allocatable(HOSTILE)).toBe(1));
  const first = podOf('first', [aContainer('app', { [HOSTILE]: 1 })]);
  await expect(fixture.admit(first)).rejects.toMatchObject({ code: 'ResourceExhausted' });
  hostile.allocate = allocate;
  const second = podOf('second', [aContainer('app', { [HOSTILE]: 1 })]);
  await fixture.admit(second);
  expect(fixture.idsOf(second, 'app')).toEqual(['dev1']);
});

test.each(['../hostile.sock', 'a/../../hostile.sock', '/run/hostile.sock', '..', '.', '', 'a//b', 'a\0b'])(
  'rejects the endpoint %j, which leads out of the folder',
  async (endpoint) => {
    const plugin = new SocketPlugin(directory, endpoint, devices(1));
    await expect(plugin.register(HOSTILE)).rejects.toMatchObject({
      code: 'Unknown',
      details: expect.stringMatching(/^the Endpoint ".*" is invalid$/),
    });
    expect(fixture.manager.getCapacity().capacity).toEqual({});
  },
);

test('keeps one connection to a plugin that registers repeatedly', async () => {
  const plugin = await aPlugin('hostile.sock', devices(1));
  await plugin.register(HOSTILE);
  await eventually(() => expect(allocatable(HOSTILE)).toBe(1));
  const open = readdirSync('/proc/self/fd').length;
  for (let index = 0; index < 20; index++) await plugin.register(HOSTILE);
  await eventually(() => expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(open + 4));
  expect(allocatable(HOSTILE)).toBe(1);
});

test('tries only a few of 1,000 concurrent registrations of a silent plugin, while another plugin registers', async () => {
  const silent = createServer().listen(join(directory, 'silent.sock'));
  await eventually(() => silent.listening);
  const request = { version: 'v1beta1', endpoint: 'silent.sock', resourceName: HOSTILE, options: undefined };
  const refusals: string[] = [];
  for (let index = 0; index < 1000; index++)
    void registration.register(request).catch((error: unknown) => refusals.push(messageOfError(error)));
  await eventually(() => expect(refusals).toHaveLength(1000 - MAX_ATTEMPTS));
  expect(new Set(refusals)).toEqual(new Set([`${MAX_ATTEMPTS} registrations of ${HOSTILE} are under way already`]));
  await othersStillGetDevices();
  silent.close();
});
