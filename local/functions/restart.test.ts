import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { LocalFunctions } from './local-functions.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-restart-'));
const loads = join(folder, 'loads.txt');
afterAll(() => rmSync(folder, { recursive: true }));

/** Records that it was loaded, and ends its thread. */
const SOURCE = `
import { appendFileSync } from 'node:fs';
import { defineValidating } from '@davit-dev/davit/webhook';
const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
export const short = defineValidating({ name: 'short', rules }, () => undefined);
appendFileSync(${JSON.stringify(loads)}, 'x');
setTimeout(() => { throw new Error('boom'); });
`;

test('restarts a terminated thread even if its end cannot be reported', async () => {
  writeFileSync(join(folder, 'short.ts'), SOURCE);
  const logged: string[] = [];
  const log = {
    info: () => undefined,
    error: (message: string, fields = {}) => void logged.push(`${message} ${JSON.stringify(fields)}`),
  };
  const functions = await LocalFunctions.open({ folder, limits: {}, log });
  functions.serve({
    handle: () => Promise.reject(new Error('nobody asks')),
    add: () => undefined,
    define: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    told: () => Promise.reject(new Error('the store is away')),
  });
  await eventually(() => expect(existsSync(loads) ? readFileSync(loads, 'utf8') : '').toMatch(/^xx/));
  expect(logged).toContain('an event was not taken {"error":"the store is away"}');
  await functions.close();
});
