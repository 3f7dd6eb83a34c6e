import { expect, test } from 'vitest';
import { EPOCH } from '#lib/storage/sequence.ts';
import { checkLines } from './check.ts';

const HEAD = '{"davit":"export","format":1,"secrets":true}';
const MAPS = '{"sequence":"main//configmaps","version":9}';
const THINGS = '{"sequence":"main/example.com/things","version":9}';
const CONTROL = '{"sequence":"main/control","version":9}';

const end = (objects: number): string => JSON.stringify({ end: true, objects });
const line = (key: string, object: object): string => JSON.stringify({ key, object });
const aMap = (name: string, more: object = {}): object => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'ns' },
  ...more,
});
const map = (name: string, more: object = {}): string => line(`main//configmaps/ns/${name}`, aMap(name, more));
const thing = line('main/example.com/things/ns/a', aMap('a', { kind: 'Thing', apiVersion: 'example.com/v1' }));
const definition = line('main/apiextensions.k8s.io/customresourcedefinitions//things.example.com', {
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: 'things.example.com' },
});

async function* each(lines: readonly string[]) {
  yield* lines;
}

test('accepts a complete export', async () => {
  expect(await checkLines(each([HEAD, MAPS, map('a'), map('b'), end(2)]))).toEqual({ unserved: [] });
});

test('names the types that no server serves', async () => {
  expect(await checkLines(each([HEAD, THINGS, thing, end(1)]))).toEqual({ unserved: ['things.example.com'] });
  expect(await checkLines(each([HEAD, CONTROL, definition, THINGS, thing, end(2)]))).toEqual({ unserved: [] });
});

test.each<[string, string[], string]>([
  ['no lines', [], 'the file is empty'],
  ['no head', [MAPS, end(0)], 'line 1: the file is no export'],
  ['two exports', [HEAD, MAPS, HEAD, end(0)], 'line 3: the file is no export, or more than one'],
  ['no end', [HEAD, MAPS, map('a')], 'the export ends early, behind 1 objects'],
  ['a wrong count', [HEAD, MAPS, map('a'), end(2)], 'line 4: the export ends early: it has 1 objects of 2'],
  ['a line after its end', [HEAD, MAPS, end(0), map('a')], "line 4: something is behind the export's end"],
  ['a log twice', [HEAD, MAPS, MAPS, end(0)], 'line 3: the log main//configmaps begins once more'],
  ['an object twice', [HEAD, MAPS, map('a'), map('a'), end(2)], 'is there twice, or out of order'],
  ['objects out of order', [HEAD, MAPS, map('b'), map('a'), end(2)], 'is there twice, or out of order'],
  ['an object before any log', [HEAD, map('a'), end(1)], 'is of another log'],
  ['an object of another log', [HEAD, CONTROL, map('a'), end(1)], 'is of another log'],
  ['an invalid key', [HEAD, MAPS, line('nonsense', aMap('a')), end(1)], '"nonsense" is the key of no object'],
  ['a key with a path', [HEAD, MAPS, line('main//configmaps/../../a', aMap('a')), end(1)], 'is the key of no object'],
  ["another cluster's key", [HEAD, MAPS, line('evil//configmaps/ns/a', aMap('a')), end(1)], 'is the key of no object'],
  [
    "a quota's ledger",
    [HEAD, MAPS, line('main/quota.davit.dev/ledgers/ns/ledger', aMap('ledger')), end(1)],
    'is the key of no object',
  ],
  [
    'an object that does not decode',
    [HEAD, MAPS, map('a', { data: 'x' }), end(1)],
    'object main//configmaps/ns/a does not decode: ',
  ],
  ['an object of another name', [HEAD, MAPS, line('main//configmaps/ns/b', aMap('a')), end(1)], 'is not that of'],
  ['an object of no kind', [HEAD, MAPS, map('a', { kind: undefined }), end(1)], 'is not that of'],
  ['an object of another kind', [HEAD, MAPS, map('a', { kind: 'Secret' }), end(1)], 'is not that of'],
  ['an object of another version', [HEAD, MAPS, map('a', { apiVersion: 'v9' }), end(1)], 'is not that of'],
  ['an empty object', [HEAD, MAPS, line('main//configmaps/ns/a', {}), end(1)], 'is not that of'],
  [
    'an object that is too large',
    [HEAD, MAPS, map('a', { data: { a: 'x'.repeat(2_000_000) } }), end(1)],
    '1572864 bytes',
  ],
  ['a field twice', [HEAD, '{"sequence":"a","sequence":"b","version":1}'], 'line 2: a line has a field twice'],
  ['a deep line', [HEAD, `{"key":"a","object":{"a":${'['.repeat(99_999)}`], 'line 2: a line is no JSON, or too deep'],
  [
    'a version beyond 2^53',
    [HEAD, '{"sequence":"a","version":9007199254740993}'],
    'line 2: a line is none of an export',
  ],
  ['a version that is nearly the last', [HEAD, `{"sequence":"a","version":${EPOCH * 4096}}`], 'leaves no room'],
])('rejects a file with %s', async (_, lines, text) => {
  await expect(checkLines(each(lines))).rejects.toThrow(text);
});
