import { expect, test } from 'vitest';
import { defineReconciler } from '#lib/client/controller/define-reconciler.ts';
import { defineConversion } from './define-conversion.ts';
import { exportedFunctions } from './exported-functions.ts';

test('finds the reconcilers and webhooks exported by a module, by their own names', () => {
  const sites = defineReconciler({ name: 'sites', for: { apiVersion: 'v1', kind: 'Site' } }, async () => undefined);
  const versions = defineConversion({ name: 'versions', definition: 'sites.example.com' }, (object) => object);
  const module = { a: sites, b: versions, declaration: 'text', c: { declaration: {} }, d: null, e: () => sites };
  const { reconcilers, webhooks } = exportedFunctions(module);
  expect([...reconcilers]).toEqual([['sites', sites]]);
  expect([...webhooks]).toEqual([['versions', versions]]);
});

test('accepts a function exported twice, and rejects two with the same name, even from two files', () => {
  const define = () =>
    defineReconciler({ name: 'sites', for: { apiVersion: 'v1', kind: 'Site' } }, async () => undefined);
  const sites = define();
  expect([...exportedFunctions({ sites, default: sites }, { sites }).reconcilers.keys()]).toEqual(['sites']);
  expect(() => exportedFunctions({ sites }, { other: define() })).toThrow('sites is declared twice');
});
