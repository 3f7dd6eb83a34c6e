import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  code,
  edges,
  files,
  isWritten,
  RANKS,
  ROOMS,
  ROOT,
  refusal,
  room,
  roomOf,
  wingOf,
} from '../../scripts/house/rooms.ts';

describe('the dependency rule', () => {
  test('holds on every import', () => {
    const broken = edges.flatMap((edge) => {
      const why = refusal(edge);
      return why === undefined ? [] : [`${edge.from} -> ${edge.to}: ${why}`];
    });
    expect(broken).toEqual([]);
  });

  test('detects an import that breaks the rule', () => {
    expect(refusal({ from: 'lib/storage/keys.ts', to: 'adapters/clock.ts' })).toBeDefined();
    expect(refusal({ from: 'lib/storage/keys.ts', to: 'node:fs' })).toBeDefined();
    expect(refusal({ from: 'lib/server/registry/store/update.ts', to: 'lib/server/admission/chain.ts' })).toBeDefined();
    expect(refusal({ from: 'adapters/server/http/server.ts', to: 'adapters/server/sqlite/store.ts' })).toBeDefined();
    expect(refusal({ from: 'node-agent/agent.ts', to: 'local/serve.ts' })).toBeDefined();
    expect(refusal({ from: 'local/main.ts', to: 'node-agent/agent.ts' })).toBeDefined();
    expect(refusal({ from: 'node-agent/agent.ts', to: 'adapters/clock.ts' })).toBeUndefined();
    expect(refusal({ from: 'infra/constructs/code.ts', to: 'scripts/cost.ts' })).toBeDefined();
    expect(refusal({ from: 'local/main.ts', to: 'functions/apiserver/wiring.ts' })).toBeUndefined();
  });
});

test('every room of lib has a rank', () => {
  const rooms = new Set(files.filter((file) => room(file) === 'lib').map(roomOf));
  expect([...rooms].sort()).toEqual([...RANKS].sort());
});

test('the rooms of a wing rank together, so wings import down only', () => {
  const wings = RANKS.map((name) => wingOf(`lib/${name}`)).filter((wing, at, all) => wing !== all[at - 1]);
  expect(wings).toEqual([...new Set(wings)]);
});

describe('files of the repository', () => {
  test('have at most 400 lines', () => {
    const written = code.filter(isWritten);
    const long = written.filter((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length > 401);
    expect(long).toEqual([]);
  });

  test('keep members of classes by #, which holds at run time too; TypeScript alone has private constructors', () => {
    const declares = /^\s*private (?!constructor\()/m;
    const soft = files.filter((file) => declares.test(withoutComments(readFileSync(join(ROOT, file), 'utf8'))));
    expect(soft).toEqual([]);
  });

  test('use no clock and no process in lib', () => {
    const forbidden = /\b(Date\.now|Math\.random|process\.|setTimeout|setInterval|performance\.now)\b/;
    const impure = code.filter(
      (file) => room(file) === 'lib' && forbidden.test(withoutComments(readFileSync(join(ROOT, file), 'utf8'))),
    );
    expect(impure).toEqual([]);
  });

  test('include a README of at most 15 lines in each wing and room of lib', () => {
    const rooms = [...new Set(RANKS.flatMap((name) => [name, wingOf(`lib/${name}`)]))];
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

test.each(ROOMS)('%s has a README that says what it may import and names each of its folders', (name) => {
  const text = readFileSync(join(ROOT, name, 'README.md'), 'utf8');
  expect(text).toMatch(/imports/i);
  const below = files.filter((file) => room(file) === name).map((file) => relative(name, dirname(file)).split('/')[0]);
  const unnamed = [...new Set(below)].filter((folder) => folder !== '' && !text.includes(`${folder}/`));
  expect(unnamed).toEqual([]);
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

test('every file that a README of a room names exists in it or below it', () => {
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

test('numbers the decisions from 1 without a gap, and lists each in docs/adr/README.md', () => {
  const folder = join(ROOT, 'docs/adr');
  const records = readdirSync(folder).filter((name) => name !== 'README.md');
  expect(records.map((name) => Number(name.slice(0, 4)))).toEqual(records.map((_, index) => index + 1));
  const list = readFileSync(join(folder, 'README.md'), 'utf8');
  const listed = records.filter((name) => list.includes(`| [${Number(name.slice(0, 4))}](${name}) |`));
  expect(listed).toEqual(records);
});
