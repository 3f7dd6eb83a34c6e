import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MODULES = ['./store.ts', '../../clock.ts', '../../../lib/storage/proposal.conformance.ts'];

/** Writes ten large objects twice, and folds them after the process can open no more files. `ulimit` limits it to a few. */
const program = (path: string): string => `
  const { openSync } = await import('node:fs');
  const [{ SqliteStore }, { systemClock }, { bodyOf, proposal }] = await Promise.all(
    ${JSON.stringify(MODULES.map((one) => new URL(one, import.meta.url).href))}.map((url) => import(url)),
  );
  const sequence = new SqliteStore({ path: ${JSON.stringify(path)}, clock: systemClock }).sequence('main//a');
  let last = 1;
  const write = async (note) => {
    for (let i = 0; i < 10; i++) {
      const body = bodyOf(0, { length: 20_000, note });
      ({ last } = await sequence.append(last, [proposal('x' + i, { body })], { nonce: note + i }));
    }
  };
  await write('a');
  await sequence.compact();
  await write('b');
  let code;
  while (code === undefined) try { openSync('/dev/null'); } catch (error) { code = error.code; }
  await write('c');
  console.log(code, await sequence.compact());
  process.exit();`;

test('continues to write and to fold at the limit of open files', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'davit-files-'));
  const args = ['-c', 'ulimit -n 100 && exec "$0" "$@"', process.execPath, '--input-type=module', '-e'];
  const { stdout } = await promisify(execFile)('/bin/sh', [...args, program(join(directory, 'davit.db'))]);
  expect(stdout).toBe('EMFILE 31\n');
  rmSync(directory, { recursive: true });
});
