import { describe, expect, test } from 'vitest';
import { type Payload, type Projection, planWrite } from './atomic-writer.ts';

const NOW = Date.parse('2026-01-02T03:04:05.678Z');
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const payload = (values: Readonly<Record<string, string>>): Payload =>
  new Map(Object.entries(values).map(([path, text]) => [path, { data: bytes(text), mode: 0o644 }]));
const showing = (values: Readonly<Record<string, string>>, folders: readonly string[] = []): Projection => ({
  folder: '..before',
  files: new Map(Object.entries(values).map(([path, text]) => [path, bytes(text)])),
  paths: [...Object.keys(values), ...folders],
});

describe('paths of a payload', () => {
  test.each([
    ['', 'invalid path: must not be empty: ""'],
    ['/abs', 'invalid path: must be relative path: /abs'],
    ['a/../b', "invalid path: must not contain '..': a/../b"],
    ['..', "invalid path: must not contain '..': .."],
    ['..data', "invalid path: must not start with '..': ..data"],
    ['./..data', "invalid path: must not start with '..': ./..data"],
    ['..a/b', "invalid path: must not start with '..': ..a/b"],
    ['n'.repeat(256), 'invalid path: filenames must be less than or equal to 255 characters'],
    [`${'n/'.repeat(2048)}n`, 'invalid path: must be less than or equal to 4096 characters'],
  ])('rejects the path %j', (path, reason) => {
    expect(() => planWrite(payload({ [path]: 'x' }), undefined, NOW)).toThrow(new Error(reason));
  });

  test.each(['a', 'a/b', '.a', 'a..b', 'a/..b', './a', 'a//b', 'n'.repeat(255)])('accepts the path %j', (path) => {
    expect(() => planWrite(payload({ [path]: 'x' }), undefined, NOW)).not.toThrow();
  });

  test('cleans the paths of a payload', () => {
    expect([...planWrite(payload({ './a//b': 'x' }), undefined, NOW).payload.keys()]).toEqual(['a/b']);
  });
});

describe('the plan of a write', () => {
  test('writes a new directory with the time in its name and links the first part of each path', () => {
    const plan = planWrite(payload({ key: 'a', 'dir/one': 'b', 'dir/two': 'c' }), undefined, NOW);
    expect(plan.folderPrefix).toBe('..2026_01_02_03_04_05.');
    expect([...plan.links.keys()]).toEqual(['key', 'dir']);
    expect(plan.oldFolder).toBeUndefined();
  });

  test('writes no files if they are up to date, and keeps the directory', () => {
    const plan = planWrite(payload({ key: 'a' }), showing({ key: 'a' }), NOW);
    expect([plan.folderPrefix, plan.oldFolder, plan.remove]).toEqual([undefined, undefined, []]);
  });

  test.each([
    ['other content', { key: 'b' }, { key: 'a' }, []],
    ['a new file', { key: 'a', more: 'b' }, { key: 'a' }, []],
    ['a removed file', { key: 'a' }, { key: 'a', gone: 'b' }, ['gone']],
  ])('replaces the directory for %s', (_, values, before, removed) => {
    const plan = planWrite(payload(values), showing(before), NOW);
    expect([plan.folderPrefix, plan.oldFolder, plan.remove]).toEqual([expect.any(String), '..before', removed]);
  });

  test('removes the link of a removed directory, but not the files in it', () => {
    const plan = planWrite(payload({ key: 'a' }), showing({ key: 'a', 'dir/one': 'b' }, ['dir']), NOW);
    expect(plan.remove).toEqual(['dir']);
  });

  test('keeps a directory if only one of its files is removed', () => {
    const plan = planWrite(payload({ 'dir/one': 'b' }), showing({ 'dir/one': 'b', 'dir/two': 'c' }, ['dir']), NOW);
    expect([plan.folderPrefix, plan.remove]).toEqual([expect.any(String), []]);
  });
});
