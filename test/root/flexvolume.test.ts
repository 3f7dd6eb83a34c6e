import { globSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { skipUnless } from '#test/support/skip.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { ATTACHING, calls, DRIVERS, forget, hangIn, install, SIMPLE, uninstall } from './flexvolume/drivers.ts';
import { leftoversAfterKills, leftoversSoon } from './leftovers.ts';
import { TestNode } from './test-node.ts';

let node: TestNode;

beforeAll(async () => {
  node = await TestNode.start(`--volume-plugin-dir=${DRIVERS}`, '--sync-frequency=5s');
  install('vendor~simple', SIMPLE);
  install('vendor~attaching', ATTACHING);
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});
afterEach(async () => {
  hangIn();
  install('vendor~simple', SIMPLE);
  await node.output('delete', 'pods', '--all', '--grace-period=1', '--timeout=120s');
  await eventually(
    () => left().length === 0,
    () => `nothing is left: ${left().join('\n')}\n${calls().join('\n')}\n${node.log.slice(-3000)}`,
  );
  await node.output('delete', 'events', '--all');
  forget();
});

/** The traces of volumes on this machine. */
const left = (): string[] => [
  ...globSync('/var/lib/kubelet/plugins/kubernetes.io/flexvolume/vendor/*/mounts/*'),
  ...globSync('/var/lib/kubelet/pods/*/volumes/{vendor~*,kubernetes.io~nfs}/*'),
  ...readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => /vendor[~/]/.test(line)),
];

const isReady = (name: string): Promise<string> =>
  node.output('wait', '--for=condition=Ready', '--timeout=90s', `pod/${name}`);
const says = (text: string): Promise<void> =>
  eventually(
    async () => (await node.output('get', 'events', '-o', 'jsonpath={.items[*].message}')).includes(text),
    () => node.log.slice(-3000),
  );

const withVolume = (name: string, source: object, script = FOREVER): object =>
  aPod(name, '', {
    containers: [shell(script, { volumeMounts: [{ name: 'data', mountPath: '/data' }] })],
    volumes: [{ name: 'data', ...source }],
  });
const flex = (driver: string): object => ({ flexVolume: { driver: `vendor/${driver}` } });

test('mounts and unmounts a volume of a driver that was installed while the agent ran', async () => {
  await node.apply(withVolume('simple', flex('simple'), `grep hello /data/file && ${FOREVER}`));
  await isReady('simple');
  expect(calls().filter((call) => call.startsWith('simple mount'))).toHaveLength(1);
  const [call = ''] = calls().filter((one) => one.startsWith('simple mount'));
  expect(call).toContain('"kubernetes.io/pod.name":"simple"');
});

test('attaches a volume that pods share, and detaches it after the last pod', async () => {
  await node.apply(withVolume('a', flex('attaching'), `echo shared > /data/file; ${FOREVER}`));
  await isReady('a');
  await node.apply(withVolume('b', flex('attaching'), `grep shared /data/file && ${FOREVER}`));
  await isReady('b');
  await node.output('delete', 'pod', 'a', '--timeout=60s');
  expect(calls().some((call) => call.startsWith('attaching unmountdevice'))).toBe(false);
  await node.output('delete', 'pod', 'b', '--timeout=60s');
  await eventually(() => calls().some((call) => call.startsWith('attaching detach data n1')));
  const made = calls().map((call) => call.split(' ')[1]);
  expect(made.filter((call) => call === 'mountdevice')).toHaveLength(1);
});

test.each([
  ['simple', 'mount'],
  ['simple', 'unmount'],
  ['attaching', 'attach'],
  ['attaching', 'mountdevice'],
  ['attaching', 'unmountdevice'],
  ['attaching', 'detach'],
])('leaves no files when the agent is killed while the driver %s is in %s', async (driver, call) => {
  hangIn(call);
  await node.apply(withVolume('kill', flex(driver)));
  const isEnd = call.startsWith('un') || call === 'detach';
  if (isEnd) {
    await isReady('kill');
    await node.output('delete', 'pod', 'kill', '--wait=false');
  }
  await eventually(
    () => calls().some((one) => one.startsWith(`${driver} ${call} `)),
    () => `${calls().join('\n')}\n${node.log.slice(-3000)}`,
  );
  node.killAgent();
  if (!isEnd) await node.output('delete', 'pod', 'kill', '--wait=false');
  hangIn();
  await node.restartAgent();
  await node.isReady();
  if (driver === 'attaching') await eventually(() => calls().some((one) => one.startsWith('attaching detach data n1')));
});

test.each([
  ['fails', `say Failure '"message": "no server"'; exit 1`, 'mount command failed, status: Failure, reason: no server'],
  ['prints without end', 'yes', 'its output is longer than 1048576 bytes'],
  ['speaks no JSON', 'echo hello', 'invalid answer of the driver'],
])('reports in an event that a driver %s, and mounts when it is repaired', async (_, answer, reason) => {
  install('vendor~simple', SIMPLE.replace('mount) mount', `mount) ${answer};; other) mount`));
  await node.apply(withVolume('later', flex('simple')));
  await says(`MountVolume.SetUp failed for volume "data" : ${reason}`);
  install('vendor~simple', SIMPLE);
  await isReady('later');
});

test('keeps a pod until its volume is unmounted, even if the driver reports success before', async () => {
  await node.apply(withVolume('lie', flex('simple')));
  await isReady('lie');
  install('vendor~simple', SIMPLE.replace('umount "$2" 2> /dev/null', 'true'));
  await node.output('delete', 'pod', 'lie', '--wait=false');
  await eventually(
    () =>
      node.log.includes('UnmountVolume.TearDown failed for volume \\"data\\"') ||
      node.log.includes('UnmountVolume.TearDown failed for volume "data"'),
  );
  expect(left()).not.toEqual([]);
});

test('forgets a removed driver', async () => {
  install('vendor~gone', SIMPLE);
  await node.apply(withVolume('here', flex('gone')));
  await isReady('here');
  await node.output('delete', 'pod', 'here', '--timeout=60s');
  uninstall('vendor~gone');
  await node.apply(withVolume('gone', flex('gone')));
  await eventually(() => expect(node.log).toContain('no volume plugin matched'));
});

const hasNFS = /\bnfs/.test(readFileSync('/proc/filesystems', 'utf8'));
test('names the module of the kernel that an NFS volume needs', skipUnless(!hasNFS, 'the kernel has NFS'), async () => {
  await node.apply(withVolume('nfs', { nfs: { server: '127.0.0.1', path: '/none' } }));
  await says('the kernel of this node has no NFS: its module "nfs" is not loaded');
});

test('leaves no files on the machine', async () => {
  await eventually(
    () => leftoversSoon(leftoversAfterKills(node.log)).length === 0,
    () => leftoversSoon(leftoversAfterKills(node.log)).join('\n'),
  );
});
