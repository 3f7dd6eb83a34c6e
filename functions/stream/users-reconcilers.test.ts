import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { usersReconcilers } from './users-reconcilers.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-reconcilers-'));
const file = join(folder, 'reconcilers.json');
afterAll(() => rmSync(folder, { recursive: true }));

const sites = {
  queue: 'sites.fifo',
  declaration: { name: 'sites', for: { apiVersion: 'example.com/v1', kind: 'Site' } },
};

test('returns the declaration and queue of each reconciler, and none without a file', () => {
  expect(usersReconcilers(file)).toEqual([]);
  writeFileSync(file, JSON.stringify([sites]));
  expect(usersReconcilers(file)).toMatchObject([{ name: 'sites', queue: 'sites.fifo' }]);
});

test.each([
  ['no list', sites, /a list of queues and declarations is expected$/],
  ['a queue without order', [{ ...sites, queue: 'sites' }], /a list of queues/],
  ['no declaration', [{ ...sites, declaration: {} }], /^reconciler declaration: name/],
  ['one name twice', [sites, sites], 'sites is there twice'],
])('reports %s in one line', (_, value, line) => {
  writeFileSync(file, JSON.stringify(value));
  expect(() => usersReconcilers(file)).toThrow(line);
});
