import { expect, test } from 'vitest';
import { withoutLocations } from './locations.ts';

const ENTRY = 'import{a}from"./QX2.js";export const b=()=>import("./AB1.js"),c="./index.ts";';

test('numbers chunks by their first mention, and leaves out a chunk that nothing mentions', () => {
  const files = { 'QX2.js': 'export const a=1;', 'ZZ9.js': 'lost', 'AB1.js': 'import"./QX2.js";', 'index.js': ENTRY };
  expect(Object.fromEntries(withoutLocations(new Map(Object.entries(files)), []))).toEqual({
    'index.js': 'import{a}from"./chunk-1.js";export const b=()=>import("./chunk-2.js"),c="./index.ts";',
    'chunk-1.js': 'export const a=1;',
    'chunk-2.js': 'import"./chunk-1.js";',
  });
});

test.each([
  ['../../main/node_modules/a/b.js', 'node_modules/a/b.js'],
  ['../elsewhere/functions/sites.cjs', 'sites.cjs'],
  ['node_modules/a/b.js', 'node_modules/a/b.js'],
])('a module %s is named %s', (path, name) => {
  const files = new Map([['index.js', `var r=f({"${path}"(exports){}}),s={"../x"(){}};`]]);
  expect(withoutLocations(files, [path]).get('index.js')).toBe(`var r=f({"${name}"(exports){}}),s={"../x"(){}};`);
});
