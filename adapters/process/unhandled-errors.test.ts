import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MODULE = JSON.stringify(join(import.meta.dirname, 'unhandled-errors.ts'));

/** The lines that the script prints in a separate process. */
async function printed(script: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return stdout.trimEnd().split('\n');
}

test('reports and counts unhandled errors once, in place of listeners that end the process', async () => {
  const lines = await printed(`
    process.on('uncaughtException', () => process.exit(129));
    process.on('unhandledRejection', () => process.exit(128));
    const { outliveErrors, unhandledErrors } = await import(${MODULE});
    outliveErrors((error, origin) => console.log(origin, error.message));
    outliveErrors(() => console.log('a second report'));
    setTimeout(() => { throw new TypeError('a timer'); });
    Promise.reject(new Error('a promise'));
    Promise.reject('a string');
    Promise.reject({ token: 'secret' });
    Promise.reject(Object.create(null));
    process.once('beforeExit', () => {
      for (const { labels, value } of unhandledErrors.collect()[0].samples) console.log(labels.origin, value);
    });
  `);
  expect(lines).toEqual([
    'unhandledRejection a promise',
    'unhandledRejection a string',
    'unhandledRejection [object Object] was thrown',
    'unhandledRejection [object Object] was thrown',
    'uncaughtException a timer',
    'stdout 0',
    'stderr 0',
    'uncaughtException 1',
    'unhandledRejection 4',
  ]);
});
