import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportedKinds } from './exported-kinds.ts';
import { typeScriptFiles } from './typescript.ts';

const folder = join(import.meta.dirname, '..', '..', 'lib', 'api', 'types');
const written = typeScriptFiles();

test.each(Object.keys(written))('the committed types of %s are what the generator writes', (name) => {
  expect(readFileSync(join(folder, name), 'utf8') === written[name]).toBe(true);
});

test('the committed module exports/api.ts is what the generator writes', () => {
  expect(readFileSync(join(folder, '../../../exports/api.ts'), 'utf8') === exportedKinds()).toBe(true);
});

test('no file of types remains from a version that is no longer known', () => {
  const files = readdirSync(folder).filter((name) => /\.v\d+\w*\.ts$/.test(name));
  expect(files.filter((name) => written[name] === undefined)).toEqual([]);
});
