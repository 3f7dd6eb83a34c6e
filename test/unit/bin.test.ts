import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const BIN = join(import.meta.dirname, '../../bin');
const programs = globSync('**/*', { cwd: BIN, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'run.mjs')
  .map(({ parentPath, name }) => join(parentPath, name));

/** Makes a program believe that an old Node.js runs it. */
const OLD = `data:text/javascript,
  Object.defineProperty(process, 'version', { value: 'v20.20.2' });
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`;

test.each(programs)('%s, started with an old Node.js, names the required version in one line', async (program) => {
  const started = promisify(execFile)(process.execPath, ['--import', OLD, program]);
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'davit: needs Node.js 24 or newer, this is v20.20.2: install it from https://nodejs.org, ' +
      'or here with npm install --save-dev node@24, and run npm exec --no -- davit\n',
  });
});

test('covers all of them', () => {
  expect(programs.length).toBeGreaterThanOrEqual(5);
});
