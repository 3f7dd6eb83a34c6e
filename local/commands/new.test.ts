import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { davit } from '../davit.ts';

let folder = '';
const said: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'davit-new-'));
  said.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const make = (what: string, ...args: string[]): Promise<void> =>
  davit(['new', what, 'red-site', '--dir', folder, ...args]);
const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');
const MODULES = { private: true, type: 'module' };

test('an operator is a folder with its definition, types, reconciler, webhook and test', async () => {
  await make('operator', '--plural', 'redsites');
  expect(readdirSync(join(folder, 'red-site'), { recursive: true }).toSorted()).toEqual([
    'api',
    'api/red-site.ts',
    'crds',
    'crds/red-site.yaml',
    'package.json',
    'reconciler.ts',
    'red-site.test.ts',
    'webhook.ts',
  ]);
  expect(said.join('\n')).toContain(`npm exec --no -- davit start --functions ${join(folder, 'red-site')}`);
  await expect(make('operator')).rejects.toThrow('already exists');
});

test.each(['operator', 'reconciler', 'webhook', 'crd', 'aggregated-api'])(
  'of a new %s node knows that it is ES modules',
  async (what) => {
    await make(what);
    expect(JSON.parse(what === 'operator' ? read('red-site', 'package.json') : read('package.json'))).toEqual(MODULES);
  },
);

test('a package.json that is there stays, and is said to lack the type', async () => {
  writeFileSync(join(folder, 'package.json'), '{"name":"mine"}');
  await make('webhook');
  expect(read('package.json')).toBe('{"name":"mine"}');
  expect(said.at(-1)).toBe('Once, for node:  npm pkg set type=module');
});

test('below a package of modules there is no other', async () => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(MODULES));
  await make('operator');
  expect(readdirSync(join(folder, 'red-site'))).not.toContain('package.json');
});
