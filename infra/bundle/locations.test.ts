import { expect, test } from 'vitest';
import { withoutLocations } from './locations.ts';

const ENTRY = 'import{a}from"./QX2.js";export const b=()=>import("./AB1.js"),c="./index.ts";';

test('numbers chunks in the order of their first reference, and omits chunks without one', () => {
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
])('gives a module %s the name %s', (path, name) => {
  const files = new Map([['index.js', `var r=f({"${path}"(exports){}}),s={"../x"(){}};`]]);
  expect(withoutLocations(files, [path]).get('index.js')).toBe(`var r=f({"${name}"(exports){}}),s={"../x"(){}};`);
});
