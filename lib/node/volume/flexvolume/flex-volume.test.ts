import { beforeEach, expect, test } from 'vitest';
import type { ExecutionEnd } from '#lib/machinery/execution.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aPod, MemoryHost } from '../testing/memory-host.ts';
import type { VolumePlugin, VolumeSpec } from '../volume.ts';
import { FlexDriver } from './driver-call.ts';
import { flexVolumePlugin } from './flex-volume.ts';
import type { FlexHost } from './host.ts';
import { FlexVolumes, type InstalledDriver } from './probe.ts';

const TARGET = '/var/lib/kubelet/pods/u1/volumes/vendor~dummy/data';
const DEVICE = '/var/lib/kubelet/plugins/kubernetes.io/flexvolume/vendor/dummy/mounts/data';

let host: MemoryHost;
let flex: FlexHost;
/** Calls of the driver, without JSON options. */
let calls: string[];
let options: Record<string, string>[];
let timeouts: Map<string, number>;
let answers: Record<string, object | string>;
let end: Partial<ExecutionEnd>;
let secretType: string;

const run = async ({ path, args, timeout }: { path: string; args: readonly string[]; timeout: number }) => {
  const [command = ''] = args;
  timeouts.set(command, timeout);
  options.push(...args.filter((arg) => arg.startsWith('{')).map((arg) => JSON.parse(arg)));
  calls.push([path.replace('/drivers/', ''), ...args.filter((arg) => !arg.startsWith('{'))].join(' '));
  const answer = answers[command] ?? { status: 'Not supported' };
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return { stdout: new TextEncoder().encode(text), stderr: '', ...end };
};

beforeEach(() => {
  host = new MemoryHost();
  [calls, options, timeouts, end] = [[], [], new Map(), {}];
  secretType = 'vendor/dummy';
  answers = {
    init: { status: 'Success', capabilities: { attach: false } },
    mount: { status: 'Success' },
    unmount: { status: 'Success' },
  };
  flex = {
    host,
    node: 'n1',
    secret: async () => ({ metadata: {}, type: secretType, data: { key: 'aHVudGVyMg==' } }),
    remove: async (path) => void host.files.types.delete(path),
    list: async () => ['data'],
  };
});

const plugin = (): Promise<VolumePlugin> =>
  flexVolumePlugin(flex, new FlexDriver('/drivers/vendor~dummy', run)).finally(() => calls.shift());
const volume = (more: object = {}): VolumeSpec => ({
  name: 'data',
  volume: { name: 'data', flexVolume: { driver: 'vendor/dummy', ...more } },
  readOnly: false,
});
const program = 'vendor~dummy/dummy';

test("mounts and unmounts for a pod and passes the pod's identity to the driver", async () => {
  const own = await plugin();
  const spec = volume({ fsType: 'xfs', readOnly: true, secretRef: { name: 's' }, options: { share: 'a' } });
  const mounter = await own.mounter(spec, aPod());
  await mounter.setUp({ fsGroup: 7 });
  expect(mounter.attributes).toEqual({ readOnly: true, managed: false, seLinuxRelabel: true });
  expect(options).toEqual([
    {
      'kubernetes.io/fsType': 'xfs',
      'kubernetes.io/mounterArgs.FsGroup': '7',
      'kubernetes.io/pod.name': 'web',
      'kubernetes.io/pod.namespace': 'ns',
      'kubernetes.io/pod.uid': 'u1',
      'kubernetes.io/pvOrVolumeName': 'data',
      'kubernetes.io/readwrite': 'ro',
      'kubernetes.io/secret/key': 'aHVudGVyMg==',
      'kubernetes.io/serviceAccount.name': 'robot',
      share: 'a',
    },
  ]);
  await own.tearDown('data', 'u1');
  await own.tearDown('data', 'u1');
  expect(calls).toEqual([`${program} mount ${TARGET}`, `${program} unmount ${TARGET}`]);
  expect(host.files.types.has(TARGET)).toBe(false);
});

test.each([
  [{ fsGroup: true }, [{ path: TARGET, fsGroup: 7, readOnly: false }]],
  [{ fsGroup: false }, []],
])("changes the files' group to the pod's if the driver reports %j", async (capabilities, owned) => {
  answers['init'] = { Status: 'Success', Capabilities: { ...capabilities, attach: false } };
  await (await (await plugin()).mounter(volume(), aPod())).setUp({ fsGroup: 7 });
  expect(host.files.owned).toEqual(owned);
});

test('rejects a secret of another type', async () => {
  secretType = 'Opaque';
  const mounter = await (await plugin()).mounter(volume({ secretRef: { name: 's' } }), aPod());
  await expect(mounter.setUp({})).rejects.toThrow(
    "couldn't get secret ns/s err: cannot get secret of type vendor/dummy",
  );
  expect(host.files.types.has(TARGET)).toBe(false);
});

test.each<[object | string, Partial<ExecutionEnd>, string]>([
  [{ status: 'Failure', message: 'no server' }, {}, 'mount command failed, status: Failure, reason: no server'],
  [
    { status: 'Failure', message: 'x' },
    { failure: 'exit status 1' },
    'mount command failed, status: Failure, reason: x',
  ],
  [{ status: 'Success' }, { failure: 'exit status 3' }, 'exit status 3'],
  ['', { failure: 'fork/exec /x: permission denied' }, 'unexpected end of JSON input'],
  ['hello', {}, 'invalid answer of the driver: "hello"'],
  ['[1]', {}, 'invalid answer of the driver: '],
  [{ status: 7 }, {}, 'invalid answer of the driver: '],
  ['{}', { failure: 'context deadline exceeded' }, 'timeout'],
  ['{', { failure: 'its output is longer than 9 bytes', isTooLong: true }, 'its output is longer than 9 bytes'],
])('reports why a driver that returns %j does not mount', async (answer, how, reason) => {
  const mounter = await (await plugin()).mounter(volume(), aPod());
  answers['mount'] = answer;
  end = how;
  await expect(mounter.setUp({})).rejects.toThrow(reason);
  expect(host.files.types.has(TARGET)).toBe(false);
  expect(host.mounter.mounts).toEqual([]);
});

test('attaches, mounts the device once, binds it for pods, and detaches it with the last pod', async () => {
  const ok = { status: 'Success' };
  answers = {
    init: ok,
    attach: { ...ok, device: '/dev/x' },
    waitforattach: { ...ok, device: '/dev/y' },
    isattached: { ...ok, attached: true },
    mountdevice: ok,
    unmountdevice: ok,
    detach: ok,
  };
  const own = await plugin();
  const path = (await own.device?.deviceMountPath(volume())) ?? '';
  await own.device?.mountDevice(volume(), path, {});
  await host.mounter.mount({ source: '/dev/y', target: DEVICE, fsType: '', options: [] });
  await own.device?.mountDevice(volume(), path, {});
  await (await own.mounter(volume(), aPod())).setUp({});
  expect(host.mounter.mounts.at(-1)).toEqual({ source: DEVICE, target: TARGET, fsType: '', options: ['bind'] });
  await expect(own.device?.unmountDevice('data', path)).rejects.toThrow(
    `the device mount path "${DEVICE}" is still mounted by other references [${TARGET}]`,
  );
  await own.tearDown('data', 'u1');
  await expect(own.device?.unmountDevice('data', path)).rejects.toThrow('vendor/dummy has not unmounted');
  await host.mounter.unmount(DEVICE);
  await own.device?.unmountDevice('data', path);
  expect(calls.map((call) => call.replace(`${program} `, ''))).toEqual([
    'getvolumename',
    'attach n1',
    'waitforattach /dev/x',
    `mountdevice ${DEVICE} /dev/y`,
    'isattached n1',
    `mount ${TARGET}`,
    `unmount ${TARGET}`,
    `unmountdevice ${DEVICE}`,
    'detach data n1',
  ]);
  expect(timeouts.get('waitforattach')).toBe(600_000);
});

test('formats and mounts a device if the driver does not', async () => {
  answers = { init: { status: 'Success' }, attach: { status: 'Success', device: '/dev/x' } };
  const own = await plugin();
  await own.device?.mountDevice(volume({ fsType: 'ext4' }), DEVICE, {});
  expect(host.mounter.mounts).toEqual([{ source: '/dev/x', target: DEVICE, fsType: 'ext4', options: ['rw'] }]);
  expect(await own.device?.devicesOnDisk?.()).toEqual([{ sharedName: 'data', path: DEVICE }]);
});

test('expands a volume and its file system, with the host if the driver cannot', async () => {
  answers = {
    init: { status: 'Success' },
    attach: { status: 'Success', device: '/dev/x' },
    expandvolume: { status: 'Success' },
  };
  const own = await plugin();
  await own.expand?.({ spec: volume(), pod: aPod(), block: false, newSize: '2Ki', oldSize: '1Ki' });
  expect(calls).toContain(`${program} expandvolume ${DEVICE} 2048 1024`);
  expect(calls).toContain(`${program} expandfs /dev/x ${TARGET} 2048 1024`);
  expect(host.mounter.resized).toEqual([`/dev/x at ${TARGET}`]);
  answers['init'] = { status: 'Success', capabilities: { requiresFSResize: false } };
  expect((await plugin()).expand).toBeUndefined();
});

test('detects added, changed and removed drivers, and retries a broken one once a minute', async () => {
  const clock = new ManualClock();
  const log: string[] = [];
  let installed: InstalledDriver[] = [{ folder: '/drivers/vendor~dummy', identity: '1' }];
  const drivers = new FlexVolumes({
    flex,
    clock,
    run,
    installed: async () => installed,
    log: (text) => void log.push(text),
  });
  const names = async (): Promise<string[]> => {
    await drivers.probe();
    return drivers.plugins.map(({ name }) => name);
  };
  expect(await names()).toEqual(['vendor/dummy']);
  expect(await names()).toEqual(['vendor/dummy']);
  expect(calls).toEqual([`${program} init`]);
  installed = [{ folder: '/drivers/vendor~dummy', identity: '2' }];
  answers['init'] = 'nonsense';
  expect(await names()).toEqual([]);
  expect(await names()).toEqual([]);
  expect(log).toEqual([
    'error creating Flexvolume plugin from directory vendor~dummy, skipping. Error: invalid answer of the driver: "nonsense"',
  ]);
  answers['init'] = { status: 'Success' };
  clock.advance(60_000);
  expect(await names()).toEqual(['vendor/dummy']);
  installed = [];
  expect(await names()).toEqual([]);
  expect(timeouts.get('init')).toBe(10_000);
});
