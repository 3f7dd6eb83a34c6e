import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'davit-main-'));
beforeAll(() => {
  writeFileSync(join(folder, 'bad.yaml'), 'a: 1\nb: [c\n');
  writeFileSync(join(folder, 'lines'), '{"davit":"export","format":1}\n{}\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['sart', 'there is no command sart; the nearest is start'],
  ['trace deployment/web', 'there is no command trace; the nearest is kubectl davit trace'],
  ['new crd --plrual x', 'unknown flag --plrual; the nearest is --plural'],
  ['types bad.yaml', 'bad.yaml is neither YAML nor JSON, by its line 3: '],
  ['restore', 'name what was put back: --data-dir PATH or --table NAME'],
  ['import lines', 'lines: line 2: a line is none of an export'],
])(
  'davit %s: %s',
  async (words, why) => {
    const args = [join(import.meta.dirname, 'main.ts'), ...words.split(' ')];
    const failed = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^davit: [^\n]*\n$/) });
    expect(failed).toHaveProperty('stderr', expect.stringContaining(why));
  },
  60_000,
);
