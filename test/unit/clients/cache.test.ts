import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cached, download, pathOf, run } from '../../support/clients/cache.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'davit-cache-'));
  vi.stubEnv('XDG_CACHE_HOME', home);
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(home, { recursive: true });
});

/** A program that counts its runs in a file and fails the first `times` runs. */
const failing = (times: number): string[] => [
  '-c',
  `echo x >> ${home}/runs; [ $(wc -l < ${home}/runs) -gt ${times} ] || { echo "no registry" >&2; exit 1; }; echo done`,
];
const runs = (): number => readFileSync(join(home, 'runs'), 'utf8').length / 2;

test('reports a failed program with its name and output', async () => {
  await expect(run('sh', ['-c', 'echo "no registry" >&2; exit 3'])).rejects.toThrow('sh -c: no registry');
});

describe('a download of a client', () => {
  test('is retried after increasing delays', async () => {
    const pauses: number[] = [];
    const wait = async (pause: number): Promise<number> => pauses.push(pause);
    expect(await download('sh', failing(2), home, wait)).toBe('done\n');
    expect(pauses).toEqual([2_000, 10_000]);
  });

  test('fails when no attempt succeeds', async () => {
    await expect(download('sh', failing(9), home, async () => undefined)).rejects.toThrow('no registry');
    expect(runs()).toBe(3);
  });
});

describe('a folder of the cache', () => {
  let fills = 0;
  const fill = async (folder: string): Promise<void> => writeFileSync(join(folder, 'client'), String(++fills));

  test('is filled only once, even if several processes request it together', async () => {
    const asked = await Promise.all([cached('client-1', fill), cached('client-1', fill)]);
    for (const one of [...asked, await cached('client-1', fill)])
      expect(readFileSync(join(pathOf(one), 'client'), 'utf8')).toBe('1');
  });

  test('does not exist after a failed attempt, and is filled by the next one', async () => {
    const failed = await cached('client-1', () => Promise.reject(new Error('no registry')));
    expect(failed).toEqual({ missing: 'client-1 could not be fetched: no registry' });
    expect(readdirSync(join(home, 'davit'))).toEqual([]);
    expect(await cached('client-1', fill)).toHaveProperty('path');
  });

  test('is filled by another process if the first one was killed', async () => {
    await cached('other', fill);
    const { pid } = spawnSync('true');
    writeFileSync(join(home, 'davit/client-1.lock'), String(pid));
    expect(await cached('client-1', fill)).toHaveProperty('path');
  });
});
