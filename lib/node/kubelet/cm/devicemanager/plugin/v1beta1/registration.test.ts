import { expect, test } from 'vitest';
import {
  type Device,
  type ListAndWatchResponse,
  RegisterRequest,
} from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import { settled } from '#test/support/settled.ts';
import { MAX_ATTEMPTS, MAX_DEVICES, MAX_RESOURCES } from '../../constants.ts';
import { aDevice, devices, FakePlugin } from '../../testing.ts';
import { DevicePluginRegistration } from './registration.ts';

const GPU = 'example.com/gpu';

/** A plugin whose lists are sent by a test. */
class StreamingPlugin extends FakePlugin {
  readonly #lists: ListAndWatchResponse[] = [];
  #ended = false;
  #wake: () => void = () => undefined;

  override readonly api = { ...new FakePlugin().api, listAndWatch: () => this.#stream() };

  send(list: Device[]): void {
    this.#lists.push({ devices: list });
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *#stream(): AsyncGenerator<ListAndWatchResponse> {
    for (;;) {
      yield* this.#lists.splice(0);
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** A registration with plugins at in-memory paths, and the calls that it made. */
function aRegistration(plugins: Readonly<Record<string, FakePlugin>> = {}) {
  const told: string[] = [];
  const faults: string[] = [];
  const registration = new DevicePluginRegistration({
    socketDir: '/var/lib/kubelet/device-plugins/',
    async dial(path) {
      const plugin = plugins[path];
      if (plugin === undefined) throw new Error('context deadline exceeded');
      return { api: plugin.api, [Symbol.dispose]: () => told.push(`closed ${path.split('/').at(-1)}`) };
    },
    listener: {
      pluginConnected: (resource) => void told.push(`connected ${resource}`),
      pluginDisconnected: (resource) => void told.push(`disconnected ${resource}`),
      pluginListAndWatch: async (resource, list) =>
        void told.push(`${resource}: ${list.map(({ ID }) => ID).join(',')}`),
    },
    registered: () => undefined,
    onFault: (error) => void faults.push(error instanceof Error ? error.message : String(error)),
  });
  const register = (request: Partial<RegisterRequest> = {}) =>
    registration.register(
      RegisterRequest.fromPartial({ version: 'v1beta1', endpoint: 'gpu.sock', resourceName: GPU, ...request }),
    );
  return { registration, register, told, faults };
}

const at = (name: string): string => `/var/lib/kubelet/device-plugins/${name}`;

test.each<[string, Partial<RegisterRequest>, string]>([
  [
    'another version',
    { version: 'v1alpha' },
    'requested API version "v1alpha" is not supported by kubelet. Supported version is ["v1beta1"]',
  ],
  ['a native resource', { resourceName: 'cpu' }, 'the ResourceName "cpu" is invalid'],
  ['a name that is not qualified', { resourceName: 'a b/c' }, 'the ResourceName "a b/c" is invalid'],
  ['an endpoint outside the directory', { endpoint: '../gpu.sock' }, 'the Endpoint "../gpu.sock" is invalid'],
  ['an absolute endpoint', { endpoint: '/run/gpu.sock' }, 'the Endpoint "/run/gpu.sock" is invalid'],
  ['a missing endpoint', { endpoint: '' }, 'the Endpoint "" is invalid'],
  ['an endpoint without a server', { endpoint: 'x.sock' }, 'failed to dial device plugin: context deadline exceeded'],
])('rejects a registration with %s', async (_, request, message) => {
  const { register, told } = aRegistration();
  await expect(register(request)).rejects.toThrow(message);
  expect(told).toEqual([]);
});

test('validates the version and name of a plugin from the watcher', () => {
  const { registration } = aRegistration();
  expect(() => registration.validatePlugin(GPU, '/s', ['v1', 'v1alpha'])).toThrow(
    'manager version, v1beta1, is not among plugin supported versions [v1 v1alpha]',
  );
  expect(() => registration.validatePlugin('cpu', '/s', ['v1beta1'])).toThrow(
    'invalid name of device plugin socket: the ResourceName "cpu" is invalid',
  );
  registration.validatePlugin(GPU, '/s', ['v1', 'v1beta1']);
});

test('delivers lists in order and disconnects the plugin at the end of the stream', async () => {
  const plugin = new StreamingPlugin();
  const { register, told, faults } = aRegistration({ [at('gpu.sock')]: plugin });
  await register();
  plugin.send(devices(2));
  plugin.send([aDevice('x')]);
  await settled();
  plugin.end();
  await settled();
  expect(told).toEqual([
    `connected ${GPU}`,
    `${GPU}: dev1,dev2`,
    `${GPU}: x`,
    'closed gpu.sock',
    `disconnected ${GPU}`,
  ]);
  expect(faults).toEqual([`ListAndWatch ended unexpectedly for device plugin ${GPU}`]);
});

test('replaces a plugin that registers again, whose old stream then removes nothing', async () => {
  const [first, second] = [new StreamingPlugin(), new StreamingPlugin()];
  const { register, told } = aRegistration({ [at('gpu.sock')]: first, [at('new.sock')]: second });
  await register();
  await register({ endpoint: 'new.sock' });
  first.send(devices(1));
  first.end();
  second.send(devices(2));
  await settled();
  expect(told).toEqual([`connected ${GPU}`, `connected ${GPU}`, 'closed gpu.sock', `${GPU}: dev1,dev2`]);
});

test('keeps the previous plugin if a new registration fails', async () => {
  const plugin = new StreamingPlugin();
  const { register, told } = aRegistration({ [at('gpu.sock')]: plugin });
  await register();
  await expect(register({ endpoint: 'gone.sock' })).rejects.toThrow('failed to dial device plugin');
  plugin.send(devices(1));
  await settled();
  expect(told).toEqual([`connected ${GPU}`, `${GPU}: dev1`]);
});

test('disconnects a plugin with more devices than any machine has', async () => {
  const plugin = new StreamingPlugin();
  const { register, told, faults } = aRegistration({ [at('gpu.sock')]: plugin });
  await register();
  plugin.send(devices(MAX_DEVICES + 1));
  await settled();
  expect(told).toEqual([`connected ${GPU}`, 'closed gpu.sock', `disconnected ${GPU}`]);
  expect(faults[0]).toContain('65537 devices');
});

test('limits the number of resources that plugins can register', async () => {
  const { register } = aRegistration({ [at('gpu.sock')]: new StreamingPlugin() });
  for (let index = 0; index < MAX_RESOURCES; index++) await register({ resourceName: `example.com/r${index}` });
  await expect(register({ resourceName: 'example.com/more' })).rejects.toThrow('there are 256 resources');
  await register({ resourceName: 'example.com/r0' });
});

test('keeps only the last connection of a plugin that registers 1,000 times', async () => {
  const plugin = new StreamingPlugin();
  const { register, told } = aRegistration({ [at('gpu.sock')]: plugin });
  for (let index = 0; index < 1000; index++) await register();
  await settled();
  expect(told.filter((one) => one.startsWith('connected'))).toHaveLength(1000);
  expect(told.filter((one) => one.startsWith('closed'))).toHaveLength(999);
});

test('rejects more than eight pending registrations of one resource', async () => {
  const { register } = aRegistration({ [at('gpu.sock')]: new StreamingPlugin() });
  const waiting = Array.from({ length: MAX_ATTEMPTS }, () => register().catch(() => undefined));
  await expect(register()).rejects.toThrow('8 registrations of example.com/gpu are under way already');
  await Promise.all(waiting);
  await register();
});

test('disconnects every plugin on close', async () => {
  const { registration, register, told } = aRegistration({ [at('gpu.sock')]: new StreamingPlugin() });
  await register();
  registration[Symbol.dispose]();
  await settled();
  expect(told).toEqual([`connected ${GPU}`, 'closed gpu.sock', `disconnected ${GPU}`]);
});
