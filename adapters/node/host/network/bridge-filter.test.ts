import { expect, test } from 'vitest';
import { BRIDGE_SETTINGS, type BridgeHost, filterBridges } from './bridge-filter.ts';

const [IPV4, IPV6] = BRIDGE_SETTINGS;

/** A host whose kernel module, if it exists, adds settings with the value 0. */
function host({ values = {}, hasModule = true }: { values?: Record<string, number>; hasModule?: boolean }) {
  const settings = new Map(Object.entries(values));
  const commands: string[] = [];
  const port: BridgeHost = {
    read: async (name) => settings.get(name),
    write: async (name, value) => {
      if (!settings.has(name)) throw new Error(`ENOENT: ${name}`);
      settings.set(name, value);
    },
    run: async (command, args) => {
      commands.push([command, ...args].join(' '));
      if (!hasModule) return { failure: 'exit status 1', status: 1, output: 'Module br_netfilter not found\n' };
      for (const name of BRIDGE_SETTINGS) settings.set(name, settings.get(name) ?? 0);
      return { output: '' };
    },
  };
  return { port, settings: () => Object.fromEntries(settings), commands };
}

test('sets both families to 1, and loads no module if the settings exist', async () => {
  const { port, settings, commands } = host({ values: { [IPV4]: 0, [IPV6]: 1 } });
  expect(await filterBridges(port)).toEqual([]);
  expect([settings(), commands]).toEqual([{ [IPV4]: 1, [IPV6]: 1 }, []]);
});

test('loads the module if a setting is missing', async () => {
  const { port, settings, commands } = host({});
  expect(await filterBridges(port)).toEqual([]);
  expect([settings(), commands]).toEqual([{ [IPV4]: 1, [IPV6]: 1 }, ['modprobe br_netfilter']]);
});

test('names each setting that cannot be set, and the reason for a missing module', async () => {
  const error = new Error('modprobe br_netfilter: Module br_netfilter not found');
  expect(await filterBridges(host({ hasModule: false }).port)).toEqual([
    { setting: 'net.bridge.bridge-nf-call-iptables', error },
    { setting: 'net.bridge.bridge-nf-call-ip6tables', error },
  ]);
});

test('continues with the other family if the kernel has only one', async () => {
  const { port, settings } = host({ values: { [IPV4]: 0 }, hasModule: false });
  expect((await filterBridges(port)).map(({ setting }) => setting)).toEqual(['net.bridge.bridge-nf-call-ip6tables']);
  expect(settings()).toEqual({ [IPV4]: 1 });
});
