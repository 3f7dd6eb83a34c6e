import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { skipUnless } from '../../../../test/support/skip.ts';
import { HostMounter } from './mounter.ts';
import { HostVolumeFiles } from './volume-files.ts';

const ROUNDS = 400;
let folder: string;
let volume: string;
let outside: string;
let attacker: number;

/** A container of another pod continuously replaces a folder of the volume with a link to the host. */
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'davit-races-'));
  [volume, outside] = [join(folder, 'volume'), join(folder, 'outside')];
  for (const path of [volume, outside]) mkdirSync(path);
  writeFileSync(join(outside, 'file'), 'of the host', { mode: 0o600 });
  const swap = [
    `mkdir -p ${volume}/x/deep; touch ${volume}/x/file`,
    `mv -T ${volume}/x ${volume}/y; ln -sT ${outside} ${volume}/x; rm ${volume}/x; mv -T ${volume}/y ${volume}/x`,
  ];
  const loop = `(while :; do ${swap.join('; ')}; done) >/dev/null 2>&1 & echo $!`;
  attacker = Number(execFileSync('sh', ['-c', loop], { encoding: 'utf8' }));
});
afterEach(() => {
  process.kill(attacker, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const files = new HostVolumeFiles(new HostMounter());
const asRoot = (): object => skipUnless(process.getuid?.() === 0, 'a change of owner needs root');

/** Runs an operation many times, with a check after each. In some rounds it fails, because a folder disappears or appears meanwhile. */
async function raced(run: (round: number) => Promise<void>, check: () => void): Promise<void> {
  let done = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    await run(round).then(
      () => done++,
      () => undefined,
    );
    check();
  }
  expect(done).toBeGreaterThan(0);
}

test('changes no group of a file outside the volume', asRoot(), () =>
  raced(
    (round) => files.changeOwnership(volume, { fsGroup: 5000 + round, readOnly: false }),
    () => {
      const { gid, mode } = lstatSync(join(outside, 'file'));
      expect([gid, mode & 0o777, lstatSync(outside).gid]).toEqual([0, 0o600, 0]);
    },
  ),
);

test('removes no file outside the volume', () =>
  raced(
    async () => {
      mkdirSync(join(volume, 'x'), { recursive: true });
      await files.removeTree(volume);
    },
    () => expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('of the host'),
  ));
