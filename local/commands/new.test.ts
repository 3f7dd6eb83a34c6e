import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PACKAGE_NAME } from '#lib/machinery/package-name.ts';
import { DAVIT_VERSION } from '#lib/server/endpoints/version.ts';
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
const made = (): string[] => readdirSync(join(folder, 'red-site'), { recursive: true, encoding: 'utf8' }).toSorted();
const dependency = (...path: string[]): unknown =>
  (JSON.parse(read(...path, 'package.json')) as { dependencies: Record<string, unknown> }).dependencies[PACKAGE_NAME];

const PROJECT = ['.dockerignore', '.gitignore', 'Dockerfile', 'package.json', 'tsconfig.json'];

test('creates an operator as a folder with its definition, types, reconciler, webhook and test', async () => {
  await make('operator', '--plural', 'redsites');
  const own = [
    'api',
    'api/red-site.ts',
    'crds',
    'crds/red-site.yaml',
    'reconciler.ts',
    'red-site.test.ts',
    'webhook.ts',
  ];
  expect(made()).toEqual([...PROJECT, ...own].toSorted());
  expect(said.join('\n')).toContain(`npm exec --no -- davit start --functions ${join(folder, 'red-site')}`);
  await expect(make('operator')).rejects.toThrow('already exists');
});

test('--conversion adds a version, its types, a webhook and a test', async () => {
  await make('operator', '--conversion');
  expect(made()).toEqual(expect.arrayContaining(['conversion.test.ts', 'conversion.ts']));
  expect(read('red-site', 'api', 'red-site.ts')).toContain('export interface RedSiteV1beta1 ');
  expect(read('red-site', 'crds', 'red-site.yaml')).toContain('- name: v1beta1');
  await expect(make('crd', '--conversion')).rejects.toThrow('--conversion is for an operator');
});

test.each(['reconciler', 'webhook', 'aggregated-api'])(
  'creates a new %s as a folder with its own package',
  async (what) => {
    await make(what);
    expect(made()).toEqual([...PROJECT, 'red-site.test.ts', 'red-site.ts'].toSorted());
    expect(JSON.parse(read('red-site', 'package.json'))).toMatchObject({
      name: 'red-site',
      type: 'module',
      scripts: { test: 'node --test' },
    });
  },
);

test('creates a new definition without an image, because it runs no code', async () => {
  await make('crd');
  const project = PROJECT.filter((name) => !/docker/i.test(name));
  expect(made()).toEqual([...project, 'red-site.crd.yaml', 'red-site.test.ts'].toSorted());
});

test.each<[string, object, string]>([
  [
    'a tarball, by the path from the new folder',
    { dependencies: { [PACKAGE_NAME]: 'file:../davit.tgz' } },
    'file:../../../davit.tgz',
  ],
  ['a version', { devDependencies: { [PACKAGE_NAME]: '^0.0.9' } }, '^0.0.9'],
  ['none, so the version that runs', { dependencies: { other: '1' } }, DAVIT_VERSION],
])('depends on the package in the same way as the nearest package.json above: %s', async (_, above, expected) => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(above));
  mkdirSync(join(folder, 'below'));
  await make('webhook', '--dir', join(folder, 'below'));
  expect(dependency('below', 'red-site')).toBe(expected);
});

test('rejects a package.json that is not JSON', async () => {
  writeFileSync(join(folder, 'package.json'), '{');
  await expect(make('webhook')).rejects.toThrow(`cannot use ${join(folder, 'package.json')}`);
});
