import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FUNCTION_MODULES, moduleOf, PACKAGE_NAME, runInstalled } from '#lib/machinery/package-name.ts';
import { projectFiles } from '#local/commands/project-files.ts';
import { TEMPLATES } from '#local/commands/templates.ts';
import { downloadsOf } from '../support/downloads.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const json = (file: string) => JSON.parse(read(file)) as Record<string, unknown>;

/** Files that quote the texts that this test searches for. */
const CITING = ['test/unit/package-name.test.ts', 'test/support/downloads.ts'];
/** Every text in the checkout that a user may read or run. */
const texts = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => /\.(md|ts|mjs|js|json|ya?ml|sh|svg)$|Dockerfile$|^\.ci\//.test(file) && !CITING.includes(file));

test('the package, its lockfile, the compiler and the exports use the name in the constant', () => {
  const lock = json('package-lock.json') as { name: string; packages: Record<string, { name?: string }> };
  const { paths } = (json('tsconfig.json') as { compilerOptions: { paths: object } }).compilerOptions;
  expect([json('package.json')['name'], lock.name, lock.packages['']?.name]).toEqual(Array(3).fill(PACKAGE_NAME));
  expect(Object.keys(paths).toSorted()).toEqual([...FUNCTION_MODULES, 'testing'].map(moduleOf).toSorted());
  const exported = Object.keys(json('package.json')['exports'] as object).map((path) => path.slice(2));
  expect(exported.toSorted()).toEqual([...FUNCTION_MODULES, 'infra', 'testing'].toSorted());
});

test('the name has a scope, to which only its owner can publish', () => {
  expect(PACKAGE_NAME).toMatch(/^@[a-z0-9-]+\/davit$/);
});

test.each([
  'npx davit start',
  'npx $(npx davit node add worker-1)',
  `npx $(${runInstalled('davit')} node add worker-1)`,
  'npx -y davit@1.0.2 start',
  'npx davit-node-agent --help',
  'npm exec davit -- start',
  'npm exec -- davit start',
  'npm install davit',
  'npm i --save-dev davit@latest',
  'npm install -g davit-node-agent',
  'npm create davit',
  '"dependencies": { "davit": "^1.0.0" }',
  "import { CONFIG_MAP } from 'davit/api';",
  "await import('davit/testing')",
])('finds a download in %s', (text) => {
  expect(downloadsOf(text)).toHaveLength(1);
});

test.each([
  `${runInstalled('davit')} start`,
  'npx --no davit start',
  'npm install ../davit/davit-dev-davit-0.1.0.tgz',
  'npm install -g ./davit-dev-davit-0.1.0.tgz # then davit-node-agent is on the PATH',
  `npm install ${PACKAGE_NAME}`,
  `import { CONFIG_MAP } from '${PACKAGE_NAME}/api';`,
  '"bin": { "davit": "bin/davit.mjs" }',
])('finds no download in %s', (text) => {
  expect(downloadsOf(text)).toEqual([]);
});

test('no document, source, example or fixture makes npm download a package of another project', () => {
  expect(texts.length).toBeGreaterThan(1_000);
  const found = texts.flatMap((file) => downloadsOf(read(file)).map((place) => `${file}: ${place}`));
  expect(found).toEqual([]);
});

test.each(Object.keys(TEMPLATES))('the files of a new %s make npm download no package of another project', (what) => {
  const template = TEMPLATES[what as keyof typeof TEMPLATES]('red-site', { conversion: true });
  const project = projectFiles({ name: 'red-site', dependency: '0.1.0', image: 'functions' });
  const files = Object.values({ ...template, ...project });
  expect(files.join('\n')).toContain(PACKAGE_NAME);
  expect(files.flatMap(downloadsOf)).toEqual([]);
});
