import { spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** The parts of a checkout that a synthesis reads. */
const SOURCES = ['adapters', 'exports', 'functions', 'infra', 'lib', 'local', 'test', 'package.json', 'tsconfig.json'];
const FIXTURES = 'test/support/fixtures/';
/** CDK's own metadata with the stack traces of warnings, which is not deployed. */
const TRACES = '/Davit.metadata.json';
const CONTEXT = {
  admin: 'arn:aws:iam::123456789012:role/Admin',
  functions: 'test/support/fixtures/functions',
  featureGates: 'WatchList=true',
};

interface Resource {
  readonly Type: string;
  readonly Properties: { readonly Code: { readonly S3Key: string } };
}

const folder = mkdtempSync(join(tmpdir(), 'davit-same-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Copies the sources to a path below the test's folder, without build results. Returns the path. */
function copyAt(path: string): string {
  const copy = join(folder, path);
  const isNeeded = (from: string): boolean => {
    const [, name = ''] = from.split(`${ROOT}/`);
    return !name.startsWith('test/') || FIXTURES.startsWith(`${name}/`) || name.startsWith(FIXTURES);
  };
  for (const name of SOURCES) cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: isNeeded });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** The files that a synthesis in a copy writes without a warning: mode and content by path. */
function synthesized(copy: string, umask: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const out = join(copy, 'cdk.out');
  mkdirSync(out);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const { status, stderr } = spawnSync('sh', ['-c', `umask ${umask}; exec "$0" infra/app.ts`, process.execPath], {
    cwd: copy,
    env: { PATH, NODE_COMPILE_CACHE, CDK_OUTDIR: out, CDK_CONTEXT_JSON: JSON.stringify(CONTEXT), ...env },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const files = globSync('**', { cwd: out, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.endsWith(TRACES));
  return Object.fromEntries(paths.map((path) => [path.slice(out.length), told(path)]));
}

/** Functions run as a different user than the uploader, so the modes of assets matter. */
const told = (path: string): string => {
  const mode = path.includes('/asset.') ? statSync(path).mode.toString(8) : 'any mode';
  return `${mode} ${readFileSync(path, 'latin1')}`;
};

let first: Record<string, string> = {};
beforeAll(() => {
  const here = copyAt('a');
  first = synthesized(here, '022', { TZ: 'UTC', HOME: here });
});

test('a synthesis writes the template and a bundle for each function, and CDK accepts them', () => {
  const [, template = '{}'] = first['/Davit.template.json']?.split('any mode ') ?? [];
  const { Resources } = JSON.parse(template);
  const functions = Object.values<Resource>(Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  const bundles = functions.map(({ Properties: { Code } }) => `/asset.${Code.S3Key.replace('.zip', '')}/index.js`);
  expect(bundles.length).toBeGreaterThanOrEqual(5);
  expect(bundles.filter((file) => first[file] === undefined)).toEqual([]);
});

test('two syntheses are byte-identical, whatever the folder, time zone, umask and file times', () => {
  const there = copyAt('somewhere/else/b');
  for (const entry of globSync('{infra,lib,functions,test}/**/*.ts', { cwd: there })) {
    utimesSync(join(there, entry), 1e9, 1e9);
  }
  const second = synthesized(there, '077', { TZ: 'Pacific/Auckland', HOME: there, LANG: 'C' });
  expect(Object.keys(second)).toEqual(Object.keys(first));
  expect(Object.keys(first).filter((name) => second[name] !== first[name])).toEqual([]);
  const assets = Object.keys(first).filter((name) => name.endsWith('/index.js'));
  expect(assets.length).toBeGreaterThanOrEqual(5);
  expect(assets.filter((name) => !first[name]?.startsWith('100644 '))).toEqual([]);
});
