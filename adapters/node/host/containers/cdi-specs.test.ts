import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HostCDISpecs } from './cdi-specs.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cdi-'));
});
afterEach(() => rm(root, { recursive: true }));

test('reads spec files folder by folder', async () => {
  const [first, second, missing] = [join(root, 'a'), join(root, 'b'), join(root, 'c')];
  await mkdir(first);
  await mkdir(second);
  await writeFile(join(first, 'z.yaml'), 'one');
  await writeFile(join(first, 'notes.txt'), 'no spec');
  await writeFile(join(second, 'y.json'), 'two');
  const folders = await new HostCDISpecs([first, second, missing]).read();
  const shown = folders.map((files) => files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]));
  expect(shown).toEqual([[[join(first, 'z.yaml'), 'one']], [[join(second, 'y.json'), 'two']], []]);
});

test('treats a pipe as an empty spec without waiting for its writer', async () => {
  execFileSync('mkfifo', [join(root, 'a.yaml')]);
  expect((await new HostCDISpecs([root]).read())[0]).toEqual([{ path: join(root, 'a.yaml'), bytes: Buffer.alloc(0) }]);
});
