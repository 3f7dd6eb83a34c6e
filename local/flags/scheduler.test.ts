import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schedulerOf } from './scheduler.ts';

const HEADER = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';

async function fileOf(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'scheduler-')), 'scheduler.yaml');
  await writeFile(path, text);
  return path;
}

test("runs upstream's default scheduler, or none if disabled", async () => {
  expect(await schedulerOf({ scheduler: true })).toEqual({});
  expect(await schedulerOf({ scheduler: false })).toEqual({ scheduler: false });
});

test('reads profiles from a file', async () => {
  const schedulerConfig = await fileOf(`${HEADER}profiles: [{ schedulerName: mine }]\n`);
  expect(await schedulerOf({ scheduler: true, schedulerConfig })).toMatchObject({
    scheduler: { profiles: [{ schedulerName: 'mine' }] },
  });
});

test.each([
  ['that says something else', `${HEADER}parallelism: 0\n`, 'parallelism: Invalid value: 0: should be'],
  ['that is no YAML', '{', 'line 1'],
])('rejects a file %s', async (_, text, message) => {
  const schedulerConfig = await fileOf(text);
  await expect(schedulerOf({ scheduler: true, schedulerConfig })).rejects.toThrow(
    new RegExp(`^--scheduler-config: ${schedulerConfig}: .*${message}`),
  );
});

test('names a missing file', async () => {
  await expect(schedulerOf({ scheduler: true, schedulerConfig: '/nowhere.yaml' })).rejects.toThrow('/nowhere.yaml');
});
