import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = normalize(join(import.meta.dirname, '..'));
const ROOMS = ['lib', 'adapters', 'functions', 'local', 'infra', 'node-agent', 'exports', 'scripts'];

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : sources(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

const files = ROOMS.filter((room) => existsSync(join(ROOT, room))).flatMap(sources);
const isTest = (file: string): boolean => /\.(test|conformance|bench)\.ts$/.test(file);
const code = files.filter((file) => !isTest(file));

interface Edge {
  readonly from: string;
  readonly to: string;
}

/** Every import of a file of ours or of a package. */
function importsOf(file: string): Edge[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const specifiers = [...text.matchAll(/^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  return specifiers.map((specifier) => ({ from: file, to: resolved(file, specifier) }));
}

function resolved(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? relative(ROOT, normalize(join(ROOT, dirname(file), specifier))) : specifier;
}

const edges = code.flatMap(importsOf);
const room = (path: string): string => path.split('/')[0] ?? '';
const part = (path: string): string => path.split('/').slice(0, 2).join('/');

/** What reconcilers call in their own process. */
const API_SERVER = ['config', 'platform', 'wiring'].map((name) => `functions/apiserver/${name}.ts`);

/** The rooms of lib, from the ground up: each imports only rooms that stand before it. */
const RANKS = [
  'machinery',
  'config',
  'csi-translation',
  'metrics',
  'storage',
  'api',
  'patch',
  'webhook',
  'schema',
  'cel',
  'admission-cel',
  'authentication',
  'component-helpers',
  'dynamic-resource-allocation',
  'registry',
  'apiextensions',
  'authorization',
  'policy',
  'admission',
  'audit',
  'backup',
  'flowcontrol',
  'channel',
  'endpoints',
  'client',
  'controller',
  'webhook-sdk',
  'invocation',
  'stream',
  'controllers',
  'scheduler',
  'simulation',
];

/** The room of a file in lib. */
const roomOf = (path: string): string => path.split('/')[1] ?? '';
const rankOf = (path: string): number => RANKS.indexOf(roomOf(path));

/** Why an import may not be, or undefined where it may. */
function refusal({ from, to }: Edge): string | undefined {
  const ours = ROOMS.includes(room(to));
  if (room(from) === 'lib') {
    if (ours && room(to) !== 'lib') return 'lib imports nothing above it';
    if (ours && rankOf(to) > rankOf(from)) return `${roomOf(from)} ranks below ${roomOf(to)}`;
    if (to.startsWith('@aws-sdk/') || to.startsWith('aws-cdk')) return 'lib imports no SDK';
    if (to.startsWith('node:') && !['node:crypto', 'node:zlib'].includes(to))
      return 'of node: lib imports crypto and zlib only';
  }
  if (!ours) return undefined;
  if (room(from) === 'adapters' && room(to) !== 'lib' && part(to) !== part(from)) return 'an adapter imports lib only';
  if (room(from) === 'functions' && room(to) === 'functions' && part(to) !== part(from) && !API_SERVER.includes(to))
    return 'functions do not import each other, but for the composition of the API server';
  if (room(from) === 'local' && room(to) === 'functions' && !to.endsWith('/wiring.ts'))
    return 'local imports wirings only';
  if (room(to) === 'local' && !['local', 'exports', 'scripts'].includes(room(from)))
    return 'only exports and scripts import local';
  if (room(to) === 'scripts' && room(from) !== 'scripts') return 'nothing imports scripts';
  return undefined;
}

describe('the dependency rule', () => {
  test('holds on every import', () => {
    const broken = edges.flatMap((edge) => {
      const why = refusal(edge);
      return why === undefined ? [] : [`${edge.from} -> ${edge.to}: ${why}`];
    });
    expect(broken).toEqual([]);
  });

  test('knows a broken import', () => {
    expect(refusal({ from: 'lib/storage/keys.ts', to: 'adapters/clock.ts' })).toBeDefined();
    expect(refusal({ from: 'lib/storage/keys.ts', to: 'node:fs' })).toBeDefined();
    expect(refusal({ from: 'lib/registry/store/update.ts', to: 'lib/admission/chain.ts' })).toBeDefined();
    expect(refusal({ from: 'adapters/http/server.ts', to: 'adapters/sqlite/store.ts' })).toBeDefined();
    expect(refusal({ from: 'infra/constructs/code.ts', to: 'scripts/cost.ts' })).toBeDefined();
    expect(refusal({ from: 'local/main.ts', to: 'functions/apiserver/wiring.ts' })).toBeUndefined();
  });
});

test('every room of lib has a rank', () => {
  const rooms = new Set(files.filter((file) => room(file) === 'lib').map(roomOf));
  expect([...rooms].sort()).toEqual([...RANKS].sort());
});

describe('files', () => {
  test('have at most 400 lines', () => {
    const written = code.filter((file) => !file.startsWith('lib/api/types/'));
    const long = written.filter((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length > 401);
    expect(long).toEqual([]);
  });

  test('of lib read no clock and no process', () => {
    const forbidden = /\b(Date\.now|Math\.random|process\.|setTimeout|setInterval|performance\.now)\b/;
    const impure = code.filter(
      (file) => room(file) === 'lib' && forbidden.test(withoutComments(readFileSync(join(ROOT, file), 'utf8'))),
    );
    expect(impure).toEqual([]);
  });

  test('of each room in lib have a README of at most 15 lines', () => {
    const rooms = readdirSync(join(ROOT, 'lib')).filter((name) => statSync(join(ROOT, 'lib', name)).isDirectory());
    const without = rooms.filter((name) => !existsSync(join(ROOT, 'lib', name, 'README.md')));
    expect(without).toEqual([]);
    const long = rooms.filter(
      (name) =>
        readFileSync(join(ROOT, 'lib', name, 'README.md'), 'utf8')
          .trim()
          .split('\n').length > 15,
    );
    expect(long).toEqual([]);
  });
});

const withoutComments = (text: string): string => text.replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '');

test('every path that ARCHITECTURE.md names exists', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const named = [
    ...text.matchAll(/`((?:lib|adapters|functions|local|infra|test|scripts|exports|examples)\/[\w./-]*)`/g),
  ].map((match) => match[1] as string);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('every file that a README of a room names is there, or below it', () => {
  const readmes = [...new Set(files.map(dirname))].map((folder) => join(folder, 'README.md'));
  const lost = readmes
    .filter((readme) => existsSync(join(ROOT, readme)))
    .flatMap((readme) => {
      const below = files.filter((file) => file.startsWith(dirname(readme)));
      const isThere = (name: string): boolean =>
        [ROOT, join(ROOT, dirname(readme))].some((folder) => existsSync(join(folder, name))) ||
        below.some((file) => file.endsWith(`/${name}`));
      const named = readFileSync(join(ROOT, readme), 'utf8').matchAll(/`([\w/-]+\.ts)`/g);
      return [...named].flatMap(([, name = '']) => (isThere(name) ? [] : [`${readme}: ${name}`]));
    });
  expect(lost).toEqual([]);
});
