import { expect, test } from 'vitest';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { PluginInfo, type RegistrationStatus } from '#lib/node/kubelet-api/generated/pluginregistration-v1.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { DRAPlugins } from '../cm/dra/plugin/dra-plugins.ts';
import type { PluginHandler } from './plugin-handler.ts';
import { PluginManager } from './plugin-manager.ts';
import { refusingHandler } from './refusing-handler.ts';

/** An in-memory directory with plugins and a handler, and all their messages. */
class Fixture {
  readonly clock = new ManualClock();
  /** Socket identities by path. */
  readonly sockets = new Map<string, string>();
  readonly plugins = new Map<string, Partial<PluginInfo>>();
  readonly said: string[] = [];
  readonly faults: string[] = [];
  readonly manager: PluginManager;
  changed: () => void = () => undefined;
  notified: (status: Partial<RegistrationStatus>) => Promise<void> = async () => undefined;

  constructor() {
    this.manager = new PluginManager({
      clock: this.clock,
      directory: {
        sockets: async () => [...this.sockets].map(([path, identity]) => ({ path, identity })),
        watch: (changed) => {
          this.changed = changed;
        },
      },
      dial: async (path) => {
        const plugin = this.plugins.get(path);
        if (plugin === undefined) throw new Error('context deadline exceeded');
        return {
          api: {
            getInfo: async () => PluginInfo.fromPartial(plugin),
            notifyRegistrationStatus: async (status) => {
              this.said.push(`${path} is told ${status.pluginRegistered === true ? 'yes' : `no: ${status.error}`}`);
              await this.notified({ pluginRegistered: status.pluginRegistered === true });
              return {};
            },
          },
          [Symbol.dispose]: () => undefined,
        };
      },
      onFault: (error) => void this.faults.push(messageOfError(error)),
    });
  }

  /** A handler that records its calls. */
  handler(overrides: Partial<PluginHandler> = {}): PluginHandler {
    return {
      validatePlugin: (name) => void this.said.push(`validate ${name}`),
      registerPlugin: async (name, endpoint, versions) =>
        void this.said.push(`register ${name} at ${endpoint}: ${versions.join(' ')}`),
      deRegisterPlugin: (name) => void this.said.push(`deregister ${name}`),
      ...overrides,
    };
  }

  async reconcile(): Promise<string[]> {
    await this.manager.reconcile();
    await settled();
    return this.said.splice(0);
  }
}

const INFO = { type: 'DRAPlugin', name: 'gpu', endpoint: '/e', supportedVersions: ['v1'] };

test('registers a plugin once, and deregisters it when its socket is removed', async () => {
  const fixture = new Fixture();
  fixture.manager.addHandler('DRAPlugin', fixture.handler());
  fixture.plugins.set('/a', INFO);
  fixture.sockets.set('/a', '1');
  expect(await fixture.reconcile()).toEqual(['validate gpu', 'register gpu at /e: v1', '/a is told yes']);
  expect(await fixture.reconcile()).toEqual([]);
  expect(fixture.manager.registered.map(({ name }) => name)).toEqual(['gpu']);
  fixture.sockets.clear();
  expect(await fixture.reconcile()).toEqual(['deregister gpu']);
  expect(fixture.manager.registered).toEqual([]);
});

test('registers a recreated socket again, after deregistering the old one', async () => {
  const fixture = new Fixture();
  fixture.manager.addHandler('DRAPlugin', fixture.handler());
  fixture.plugins.set('/a', { ...INFO, endpoint: '' });
  fixture.sockets.set('/a', '1');
  await fixture.reconcile();
  fixture.sockets.set('/a', '2');
  expect(await fixture.reconcile()).toEqual([
    'deregister gpu',
    'validate gpu',
    'register gpu at /a: v1',
    '/a is told yes',
  ]);
});

test.each<{ name: string; handlers: (fixture: Fixture) => Record<string, PluginHandler>; reason: string }>([
  {
    name: 'a plugin without a handler',
    handlers: () => ({}),
    reason: 'no handler registered for plugin type: DRAPlugin at socket /a',
  },
  {
    name: 'a plugin that fails validation',
    handlers: (fixture) => ({
      DRAPlugin: fixture.handler({
        validatePlugin() {
          throw new Error('old');
        },
      }),
    }),
    reason: 'plugin validation failed with err: old',
  },
  {
    name: 'a plugin that cannot be registered',
    handlers: (fixture) => ({
      DRAPlugin: fixture.handler({ registerPlugin: () => Promise.reject(new Error('full')) }),
    }),
    reason: 'plugin registration failed with err: full',
  },
  {
    name: 'a plugin of an unsupported type',
    handlers: () => ({ DRAPlugin: refusingHandler('DRAPlugin') }),
    reason: 'plugin validation failed with err: this node agent runs no plugins of type DRAPlugin yet, gpu among them',
  },
])('notifies $name of the reason for its rejection', async ({ handlers, reason }) => {
  const fixture = new Fixture();
  for (const [type, handler] of Object.entries(handlers(fixture))) fixture.manager.addHandler(type, handler);
  fixture.plugins.set('/a', INFO);
  fixture.sockets.set('/a', '1');
  expect((await fixture.reconcile()).at(-1)).toBe(`/a is told no: RegisterPlugin error -- ${reason}`);
  expect(fixture.faults).toEqual([`RegisterPlugin error -- ${reason}`]);
  expect(fixture.manager.registered).toEqual([]);
});

test('deregisters a plugin that cannot be notified of its registration', async () => {
  const fixture = new Fixture();
  fixture.manager.addHandler('DRAPlugin', fixture.handler());
  fixture.notified = () => Promise.reject(new Error('gone'));
  fixture.plugins.set('/a', INFO);
  fixture.sockets.set('/a', '1');
  expect(await fixture.reconcile()).toEqual([
    'validate gpu',
    'register gpu at /e: v1',
    '/a is told yes',
    'deregister gpu',
  ]);
  expect(fixture.manager.registered).toEqual([]);
});

test('retries an unresponsive plugin after 0.5 s, 1 s and 2 s without delaying others', async () => {
  const fixture = new Fixture();
  fixture.manager.addHandler('DRAPlugin', fixture.handler());
  fixture.sockets.set('/dead', '1');
  fixture.plugins.set('/a', INFO);
  fixture.sockets.set('/a', '1');
  expect(await fixture.reconcile()).toHaveLength(3);
  const triedAfter = async (milliseconds: number): Promise<boolean> => {
    fixture.clock.advance(milliseconds);
    const before = fixture.faults.length;
    await fixture.reconcile();
    return fixture.faults.length > before;
  };
  expect(await triedAfter(500)).toBe(false);
  expect(await triedAfter(1)).toBe(true);
  expect(await triedAfter(1000)).toBe(false);
  expect(await triedAfter(1)).toBe(true);
  fixture.sockets.set('/dead', '2');
  expect(await triedAfter(0)).toBe(true);
});

test('deregisters a socket that is removed during the registration of its plugin', async () => {
  const fixture = new Fixture();
  const registered = Promise.withResolvers<void>();
  fixture.manager.addHandler('DRAPlugin', fixture.handler({ registerPlugin: () => registered.promise }));
  fixture.plugins.set('/a', INFO);
  fixture.sockets.set('/a', '1');
  await fixture.reconcile();
  fixture.sockets.clear();
  expect(await fixture.reconcile()).toEqual([]);
  registered.resolve();
  await settled();
  expect(await fixture.reconcile()).toEqual(['/a is told yes', 'deregister gpu']);
});

test('checks the directory after a change, and every second', async () => {
  const fixture = new Fixture();
  fixture.manager.addHandler('DRAPlugin', fixture.handler());
  const stop = new AbortController();
  const running = fixture.manager.run(stop.signal);
  await settled();
  fixture.plugins.set('/a', INFO);
  fixture.sockets.set('/a', '1');
  fixture.changed();
  await settled();
  expect(fixture.manager.registered).toHaveLength(1);
  fixture.sockets.clear();
  fixture.clock.advance(1000);
  await settled();
  expect(fixture.manager.registered).toHaveLength(0);
  stop.abort();
  await running;
});

test('calls a DRA driver with the newest service that both sides support', async () => {
  const changed: string[] = [];
  const plugins = new DRAPlugins((name) => void changed.push(name));
  await plugins.registerPlugin('gpu', '/a', ['v1beta1.DRAPlugin', 'v1.DRAPlugin', 'v9.DRAPlugin']);
  expect(plugins.get('gpu')).toEqual({ driverName: 'gpu', endpoint: '/a', chosenService: 'v1.DRAPlugin' });
  await expect(plugins.registerPlugin('gpu', '/a', ['v1.DRAPlugin'])).rejects.toThrow(
    'endpoint /a already registered for DRA driver plugin gpu',
  );
  await plugins.registerPlugin('gpu', '/b', ['v1beta1.DRAPlugin']);
  expect(plugins.get('gpu')?.chosenService).toBe('v1beta1.DRAPlugin');
  plugins.deRegisterPlugin('gpu', '/b');
  expect(plugins.get('gpu')?.endpoint).toBe('/a');
  plugins.deRegisterPlugin('gpu', '/a');
  expect(plugins.get('gpu')).toBeUndefined();
  expect(changed).toEqual(['gpu', 'gpu', 'gpu', 'gpu']);
  expect(() => plugins.validatePlugin('gpu', '/a', ['v9'])).toThrow(
    'invalid supported gRPC versions of DRA driver plugin gpu at endpoint /a: none of services supported by the plugin (["v9"]) are supported by the kubelet (["v1.DRAPlugin" "v1beta1.DRAPlugin"])',
  );
});
