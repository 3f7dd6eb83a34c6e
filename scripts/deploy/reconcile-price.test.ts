import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { total } from '../cost/prices.ts';
import { reconcilersOf } from './deployed-reconcilers.ts';
import { reconcileLines, reconcileText } from './reconcile-price.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-price-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('prints how long new code takes with 1,000 objects, and the price', () => {
  const text = reconcileText({ name: 'sites', memory: 256, perSecond: 20 });
  const dollars = total(reconcileLines({ memory: 256 }, 1000)).toFixed(4);
  expect(text).toMatch(
    /^sites: if its code has changed, this deployment reconciles all of its objects: 1,000 objects take 50 s/,
  );
  expect(text).toContain(`about $${dollars}`);
});

test("the price grows with the number of objects and the function's memory", () => {
  const price = (memory: number, objects: number): number => total(reconcileLines({ memory }, objects));
  expect(price(256, 10_000)).toBeCloseTo(10 * price(256, 1000), 10);
  expect(price(1024, 1000)).toBeGreaterThan(price(256, 1000));
  expect(price(256, 1000)).toBeGreaterThan(0.001);
  expect(price(256, 1000)).toBeLessThan(0.01);
});

test.each([
  ['without a setting', '', [{ name: 'sites', memory: 256, perSecond: 20 }]],
  ['with another rate', 'reconcileOnDeploy: 5, memory: 512', [{ name: 'sites', memory: 512, perSecond: 5 }]],
  ['with reconcileOnDeploy: false', 'reconcileOnDeploy: false', []],
])('lists the reconcilers of a folder %s', (_, settings, expected) => {
  writeFileSync(
    join(folder, 'sites.ts'),
    `import { defineReconciler } from '@davit-dev/davit/controller';
    export const sites = defineReconciler({ name: 'sites', for: { apiVersion: 'v1', kind: 'Site' } }, async () => undefined);`,
  );
  const head = 'apiVersion: davit.dev/v1\nkind: Functions\n';
  writeFileSync(join(folder, 'functions.yaml'), `${head}functions: { sites: { ${settings} } }\n`);
  expect(reconcilersOf({ functions: folder, bundle: false, bootstrap: undefined })).toEqual(expected);
});
