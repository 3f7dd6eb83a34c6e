import { describe, expect, test } from 'vitest';
import { ContainerConfig } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { applyCDIDevices } from './apply.ts';
import { CDIRegistry, type CDISpecSource } from './registry.ts';

const source = (...folders: Readonly<Record<string, string>>[]): CDISpecSource => ({
  read: async () =>
    folders.map((files) => Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))),
});

const SPEC = `
cdiVersion: "0.6.0"
kind: vendor.com/gpu
containerEdits:
  env: [DRIVER=1, "ALL=of=them"]
devices:
- name: gpu0
  containerEdits:
    env: [GPU=0]
    deviceNodes:
    - path: /dev/gpu0
    - {path: /dev/ctl, hostPath: /dev/vendor/ctl, permissions: rw, type: c, major: 1, minor: 2}
    mounts:
    - {hostPath: /opt/lib, containerPath: /usr/lib/vendor, options: [ro, nosuid, rbind, rslave]}
    - {hostPath: /opt, containerPath: /opt}
    additionalGids: [0, 44]
- name: gpu1
  containerEdits: {env: [GPU=1]}
`;

const configOf = (...names: string[]): ContainerConfig =>
  ContainerConfig.fromPartial({
    CDIDevices: names.map((name) => ({ name })),
    envs: [{ key: 'GPU', value: Buffer.from('none') }],
    mounts: [{ containerPath: '/usr/lib/vendor', hostPath: '/elsewhere' }],
    linux: { securityContext: { supplementalGroups: [7n] } },
  });

test('converts the edits of devices to settings of the container', async () => {
  const config = configOf('vendor.com/gpu=gpu0');
  await applyCDIDevices(config, source({ '/etc/cdi/v.yaml': SPEC }));
  expect(config.envs.map(({ key, value }) => `${key}=${value.toString()}`)).toEqual([
    'DRIVER=1',
    'ALL=of=them',
    'GPU=0',
  ]);
  expect(config.devices).toEqual([
    { containerPath: '/dev/gpu0', hostPath: '/dev/gpu0', permissions: 'rwm' },
    { containerPath: '/dev/ctl', hostPath: '/dev/vendor/ctl', permissions: 'rw' },
  ]);
  expect(config.mounts).toMatchObject([
    { containerPath: '/opt', hostPath: '/opt', readonly: false, propagation: 0 },
    { containerPath: '/usr/lib/vendor', hostPath: '/opt/lib', readonly: true, propagation: 1 },
  ]);
  expect(config.linux?.securityContext?.supplementalGroups).toEqual([7n, 44n]);
  expect(config.CDIDevices).toEqual([]);
});

test('applies the edits of a whole spec once', async () => {
  const config = configOf('vendor.com/gpu=gpu0', 'vendor.com/gpu=gpu1', 'vendor.com/gpu=gpu0');
  await applyCDIDevices(config, source({ '/etc/cdi/v.yaml': SPEC }));
  expect(config.envs.map(({ key }) => key)).toEqual(['DRIVER', 'ALL', 'GPU']);
  expect(config.envs.at(-1)?.value.toString()).toBe('1');
});

test('reads no spec for a container without devices', async () => {
  await applyCDIDevices(configOf(), { read: async () => expect.unreachable() });
});

test('rejects unknown devices', async () => {
  await expect(applyCDIDevices(configOf('a.com/b=c', 'a.com/b=d'), source({}))).rejects.toThrow(
    'unresolvable CDI devices a.com/b=c, a.com/b=d',
  );
});

describe('edits that CRI cannot express', () => {
  test.each([
    ['{hooks: [{hookName: createContainer, path: /bin/true}]}', 'OCI hooks'],
    ['{netDevices: [{hostInterfaceName: a, name: b}]}', 'network devices'],
    ['{intelRdt: {closID: a}}', 'Intel RDT'],
    ['{deviceNodes: [{path: /dev/a, uid: 5}]}', 'an owner or mode of /dev/a'],
    ['{mounts: [{hostPath: tmpfs, containerPath: /a, type: tmpfs}]}', 'a mount of type tmpfs at /a'],
    ['{mounts: [{hostPath: /b, containerPath: /a, options: [noexec]}]}', 'a mount with option noexec at /a'],
  ])('rejects the edit %s', async (edits, what) => {
    const spec = `{cdiVersion: 0.6.0, kind: a.com/b, devices: [{name: c, containerEdits: ${edits}}]}`;
    const config = configOf('a.com/b=c');
    await expect(applyCDIDevices(config, source({ '/etc/cdi/a.yaml': spec }))).rejects.toThrow(
      `CDI device wants ${what}, which the container runtime interface cannot express`,
    );
    expect(config).toEqual(configOf('a.com/b=c'));
  });
});

describe('conflicting CDI specs', () => {
  const one = (value: string): string =>
    `{"cdiVersion":"0.6.0","kind":"a.com/b","devices":[{"name":"c","containerEdits":{"env":["X=${value}"]}}]}`;
  const values = async (...folders: Record<string, string>[]): Promise<string[][]> =>
    (await CDIRegistry.load(source(...folders))).editsFor(['a.com/b=c']).map(({ env }) => env);

  test('prefers a device from a later directory', async () => {
    expect(await values({ '/etc/cdi/a.json': one('1') }, { '/var/run/cdi/a.json': one('2') })).toEqual([[], ['X=2']]);
  });

  test('drops a device that two specs in one directory define', async () => {
    const registry = await CDIRegistry.load(source({ '/etc/cdi/a.json': one('1'), '/etc/cdi/b.json': one('2') }));
    expect(() => registry.editsFor(['a.com/b=c'])).toThrow('unresolvable CDI devices a.com/b=c');
    expect(registry.problems).toEqual(['conflicting device a.com/b=c (specs /etc/cdi/a.json, /etc/cdi/b.json)']);
  });

  test.each([
    [
      '{cdiVersion: "9.0.0", kind: a.com/b, devices: [{name: c, containerEdits: {}}]}',
      'cdiVersion: is no version that is read',
    ],
    [
      '{cdiVersion: 0.6.0, kind: b, devices: [{name: c, containerEdits: {}}]}',
      'kind: must be a vendor and a class, as vendor.com/class',
    ],
    ['{cdiVersion: 0.6.0, kind: a.com/b, devices: []}', 'devices: must have a device'],
    [
      '{cdiVersion: 0.6.0, kind: a.com/b, devices: [{name: "a b", containerEdits: {}}]}',
      'devices.0.name: must be the name of a device',
    ],
    [
      '{cdiVersion: 0.6.0, kind: a.com/b, devices: [{name: c, containerEdits: {env: [X]}}]}',
      'devices.0.containerEdits.env.0: must be NAME=value',
    ],
    [
      '{cdiVersion: 0.6.0, kind: a.com/b, devices: [{name: c, containerEdits: {deviceNodes: [{path: dev}]}}]}',
      'devices.0.containerEdits.deviceNodes.0.path: must be an absolute path',
    ],
    [
      '{cdiVersion: 0.6.0, kind: a.com/b, devices: [{name: c, containerEdits: {}}, {name: c, containerEdits: {}}]}',
      'multiple device "c"',
    ],
  ])('skips the spec %s', async (text, problem) => {
    const { problems } = await CDIRegistry.load(source({ '/etc/cdi/a.yaml': text }));
    expect(problems).toEqual([`invalid CDI Spec /etc/cdi/a.yaml: ${problem}`]);
  });
});
