import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { bootstrapPolicy } from './policy.ts';

const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([field, held]) => field !== 'rules' || (held as Json[]).length > 0);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([field, held]) => [field, sorted(held)]));
};

const place = (object: JsonObject): string => `${namespaceOf(object)}/${nameOf(object)}`;

/** Compared with the objects that kube-apiserver 1.36.2 stores in an empty cluster: sorted, without system fields and vendor additions. */
test.each([
  ['clusterroles', 69, '200483f8f79c4a610c8d293d60fdbce938c4ad1e3550eda25d07521735b3ef32'],
  ['clusterrolebindings', 50, '93f283e51de139e78469ee7dd806e9542a7898a0a1671dc105e818a5079c2ee1'],
  ['roles', 7, '2d43fa92271845a31f2e7fb14c15e3933c048b8f417dc64c68717f20f39cb990'],
  ['rolebindings', 7, '3b5c44564b04f254a1d335b5e2160574e7fee842c03d594361a2a5b666ceae02'],
])('the %s equal the %i of upstream', (resource, count, digest) => {
  const objects = bootstrapPolicy()
    .filter((expected) => expected.resource.resource === resource)
    .map(({ object }) => object)
    .sort((a, b) => (place(a) < place(b) ? -1 : 1));
  expect(objects).toHaveLength(count);
  expect(
    createHash('sha256')
      .update(JSON.stringify(objects.map(sorted)))
      .digest('hex'),
  ).toBe(digest);
});
