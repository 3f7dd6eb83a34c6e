import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { VolumeUsage } from '#lib/node/volume/volume.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { eventually } from '#test/support/eventually.ts';
import { HostPodStorage } from './pod-storage.ts';

const POD = { namespace: 'd', name: 'p', uid: 'u' };
const BLOCK = 4096;
const clock = new ManualClock();
let root: string;
let faults: unknown[];
/** The volume usage that the driver reports. */
let told: VolumeUsage | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pod-storage-'));
  faults = [];
  told = undefined;
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, blocks: number): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), Buffer.alloc(blocks * BLOCK, 1));
}

const storage = (): HostPodStorage =>
  new HostPodStorage({
    clock,
    rootDirectory: root,
    podLogsDirectory: join(root, 'logs'),
    volumesOf: () => [
      { name: 'scratch', path: join(root, 'pods/u/volumes/scratch'), isEphemeral: true, hasOwnFs: false },
      {
        name: 'data',
        path: root,
        isEphemeral: false,
        hasOwnFs: true,
        pvcRef: { name: 'claim', namespace: 'd' },
      },
      {
        name: 'told',
        path: root,
        isEphemeral: false,
        hasOwnFs: true,
        stats: async () => told,
      },
      { name: 'gone', path: join(root, 'gone'), isEphemeral: true, hasOwnFs: false },
    ],
    onFault: (error) => void faults.push(error),
  });

test('measures container logs and the hosts file', async () => {
  await write('logs/d_p_u/app/0.log', 3);
  await write('pods/u/etc-hosts', 1);
  await write('logs/d_p_u/pod.log', 2);
  expect(await storage().podLogs(POD)).toMatchObject({ usedBytes: BigInt(2 * BLOCK), inodesUsed: 1n });
  const logs = await storage().containerLogs(POD, 'app');
  expect(Number(logs?.usedBytes)).toBeGreaterThanOrEqual(3 * BLOCK);
  expect(logs?.inodesUsed).toBe(2n);
  expect(await storage().etcHosts('u')).toMatchObject({ usedBytes: BigInt(BLOCK), inodesUsed: 1n });
});

test('does not measure a missing file or folder, and reports no fault', async () => {
  expect(await storage().containerLogs(POD, 'app')).toBeUndefined();
  expect(await storage().podLogs(POD)).toBeUndefined();
  expect(await storage().etcHosts('u')).toBeUndefined();
  expect(faults).toEqual([]);
});

test('counts volumes once a minute and claims by their file system, without waiting for the count', async () => {
  await write('pods/u/volumes/scratch/a', 2);
  const own = storage();
  const scratch = async (): Promise<number> => Number((await own.volumes('u')).ephemeral[0]?.usedBytes ?? 0n);
  expect(await own.volumes('u')).toEqual({ ephemeral: [], persistent: [] });
  await eventually(async () => expect(await scratch()).toBeGreaterThan(0));
  const { ephemeral, persistent } = await own.volumes('u');
  expect(ephemeral.map(({ name }) => name)).toEqual(['scratch']);
  expect(persistent).toMatchObject([{ name: 'data', pvcRef: { name: 'claim', namespace: 'd' } }]);
  expect(persistent[0]?.capacityBytes).toBeGreaterThan(0n);
  const before = await scratch();
  await write('pods/u/volumes/scratch/b', 5);
  expect(await scratch()).toBe(before);
  clock.advance(60_000);
  await eventually(async () => expect(await scratch()).toBe(before + 5 * BLOCK));
});

test("reports the usage of a driver's volume only from the driver", async () => {
  const usage = { availableBytes: 1n, capacityBytes: 2n, usedBytes: 3n, inodesFree: 4n, inodes: 5n, inodesUsed: 6n };
  told = usage;
  const own = storage();
  await own.volumes('u');
  await eventually(async () => expect((await own.volumes('u')).persistent).toHaveLength(2));
  expect((await own.volumes('u')).persistent[1]).toMatchObject({ name: 'told', ...usage });
});
