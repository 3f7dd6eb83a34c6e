import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { firstMissing } from '#test/support/clients/cache.ts';
import { needing } from '#test/support/skip.ts';

const FOLDER = join(import.meta.dirname, '../../support/localstack');
const missing = await firstMissing([['python3', '--version']]);

test(
  'the executor of functions responds, fails, crashes and times out like the platform',
  needing(missing),
  async () => {
    const args = ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'];
    const { stderr } = await promisify(execFile)('python3', args, { cwd: FOLDER, timeout: 280_000 });
    expect(stderr).toMatch(/Ran [1-9]\d* tests in [\d.]+s\s+OK/);
  },
);
