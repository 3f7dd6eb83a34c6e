import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RunningProgram } from '#test/clients/e2e/program.ts';
import { pathOf } from '#test/support/clients/cache.ts';
import { buildDeviceMonitor, buildDevicePlugin, GRPC_GO } from '#test/support/clients/device-plugin.ts';
import { eventually } from '#test/support/eventually.ts';
import { needing } from '#test/support/skip.ts';
import { ctr } from './container-runtime.ts';
import {
  boundPod,
  byHand,
  byUnit,
  DEMO_POD,
  DOCUMENTS_PAUSE,
  daemonSet,
  FOO,
  imageWith,
  UNHEALTHY,
} from './devices/plugin.ts';
import { imageArchive } from './images.ts';
import { leftovers, leftoversSoon } from './leftovers.ts';
import { TestNode } from './test-node.ts';

/** Whether every version of grpc-go is tested with every kind of start. */
const IS_ALL = process.env['DAVIT_ROOT_ALL'] !== undefined;
const PLUGIN_FOLDER = '/var/lib/kubelet/device-plugins';
const POD_RESOURCES = '/var/lib/kubelet/pod-resources';
const plugins = new Map(
  await Promise.all(GRPC_GO.map(async (version) => [version, await buildDevicePlugin(version)] as const)),
);
const monitor = await buildDeviceMonitor();
const programOf = (version: (typeof GRPC_GO)[number]): string => pathOf(plugins.get(version) ?? { missing: version });

let node: TestNode;

beforeAll(async () => {
  node = await TestNode.start('--sync-frequency=5s');
  ctr('images', 'import', imageArchive(DOCUMENTS_PAUSE));
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

async function removeAll(): Promise<void> {
  await kubectl('delete', 'daemonsets', '--all', '--timeout=90s');
  await kubectl('delete', 'pods', '--all', '--grace-period=1', '--timeout=90s');
}

/** Runs kubectl, and returns its output. Throws if it fails. */
async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await node.kubectl(...args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}\n${node.log.slice(-3000)}`);
  return stdout;
}

const at = (path: string): string => `jsonpath={${path}}`;
const CONTAINER = at('.status.containerStatuses[0].containerID');
const ready = (...what: readonly string[]): Promise<string> =>
  kubectl('wait', '--for=condition=Ready', '--timeout=60s', ...what);
const offered = (): Promise<string> =>
  kubectl('get', 'node', 'n1', '-o', at(`.status.allocatable['${FOO.replaceAll('.', '\\.')}']`));
const offers = (count: number): Promise<void> =>
  eventually(
    async () => (await offered()) === String(count),
    () => `${count} devices: ${node.log.slice(-3000)}`,
  );

/** Starts the pod from the documentation, and checks that it has both devices. Returns the ID of its container. */
async function demoPodRuns(): Promise<string> {
  await offers(2);
  await node.apply(DEMO_POD);
  await ready('pod/demo-pod');
  const inside = await kubectl('exec', 'demo-pod', '--', 'sh', '-c', 'echo $FOO_DEVICES; ls -l /dev/foo-0 /dev/foo-1');
  expect(inside).toMatch(/^foo-1,foo-0\nc.* 1, +3 .*\/dev\/foo-0\nc.* 1, +3 .*\/dev\/foo-1\n$/);
  return kubectl('get', 'pod', 'demo-pod', '-o', CONTAINER);
}

describe("the documents' demo-pod runs", needing(...plugins.values()), () => {
  afterEach(removeAll);
  test.each(IS_ALL ? GRPC_GO : (['current', '1.27'] as const))(
    'with a plugin on grpc-go %s that is started manually',
    async (version) => {
      await using plugin = byHand(programOf(version));
      await demoPodRuns();
      expect(plugin.stderr).toMatch(/registered .*\n.*Allocate foo-1,foo-0\n.*PreStartContainer foo-1,foo-0\n/);
    },
  );

  test.each(IS_ALL ? GRPC_GO : (['1.56'] as const))(
    'with a plugin on grpc-go %s that a systemd unit starts',
    async (version) => {
      await using _plugin = byUnit(programOf(version));
      await demoPodRuns();
    },
  );

  test.each(IS_ALL ? GRPC_GO : (['1.40'] as const))(
    'with a privileged DaemonSet on grpc-go %s, and a monitor shows its labels',
    needing(monitor),
    async (version) => {
      ctr('images', 'import', imageArchive(imageWith('device-plugin', programOf(version))));
      ctr('images', 'import', imageArchive(imageWith('monitor', pathOf(monitor))));
      await node.apply(
        daemonSet('device-plugin', ['device-plugin'], PLUGIN_FOLDER),
        daemonSet('monitor', ['monitor', `${POD_RESOURCES}/kubelet.sock`], POD_RESOURCES),
      );
      await demoPodRuns();
      const labels = (device: string) =>
        `{pod="demo-pod",namespace="default",container="demo-container-1",resource="${FOO}",device="${device}"} 1`;
      const none = (device: string) => `{pod="",namespace="",container="",resource="${FOO}",device="${device}"} 1`;
      const expected = ['foo-0', 'foo-1'].flatMap((device) => [
        `allocatable${none(device)}`,
        ...['get', 'list', 'list_v1alpha1'].map((call) => `${call}${labels(device)}`),
      ]);
      await eventually(async () => {
        const last = (await kubectl('logs', 'daemonset/monitor')).split('end\n').at(-2) ?? '';
        return last === `${expected.toSorted().join('\n')}\n`;
      });
    },
  );
});

describe('a device plugin', needing(plugins.get('current')), () => {
  let plugin: RunningProgram;
  let container: string;
  beforeAll(async () => {
    plugin = byHand(programOf('current'));
    container = await demoPodRuns();
  });
  afterAll(async () => {
    await plugin[Symbol.asyncDispose]();
    await removeAll();
  });

  /** Binds a pod although no device is free, and checks that it is rejected. */
  async function refused(name: string): Promise<void> {
    await node.apply(boundPod(name));
    await kubectl('wait', '--for=jsonpath={.status.phase}=Failed', `pod/${name}`, '--timeout=60s');
    expect(JSON.parse(await kubectl('get', 'pod', name, '-o', at('.status')))).toMatchObject({
      reason: 'UnexpectedAdmissionError',
      message: `Pod was rejected: Allocate failed due to requested number of devices unavailable for ${FOO}. Requested: 2, Available: 0, which is unexpected`,
    });
  }

  test('fails another bound pod with UnexpectedAdmissionError if all of its devices are taken', () =>
    refused('second'));

  test('changes allocatable when a device breaks, and again when it is repaired', async () => {
    writeFileSync(UNHEALTHY, 'foo-0\n');
    await offers(1);
    const status = at('.status.containerStatuses[0].allocatedResourcesStatus');
    await eventually(async () => expect(await kubectl('get', 'pod', 'demo-pod', '-o', status)).toContain('Unhealthy'));
    rmSync(UNHEALTHY);
    await offers(2);
  });

  test('registers again after the agent was killed, and its pod continues with its devices', async () => {
    await node.restartAgent();
    await eventually(() => expect(plugin.stderr.split('registered')).toHaveLength(3));
    if (IS_ALL) await refused('third'); // a kubelet that has just started reports a rejection ten seconds late
    expect(await kubectl('get', 'pod', 'demo-pod', '-o', CONTAINER)).toBe(container);
    expect(plugin.stderr.split('Allocate')).toHaveLength(2);
  });

  test('frees its devices for the next pod when the first is gone', async () => {
    await kubectl('delete', 'pod', 'demo-pod', '--grace-period=1', '--timeout=60s');
    await node.apply(boundPod('fourth'));
    await ready('pod/fourth');
  });
});

test('leaves no files of pods with devices on the machine', async () => {
  const left = () => leftoversSoon(leftovers());
  await eventually(() => expect(left()).toEqual([]));
});
