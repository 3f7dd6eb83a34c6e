import { expect, test } from 'vitest';
import { typedSchema } from '#lib/api/patch/apply/kind-schema.ts';
import { merge } from '#lib/api/patch/apply/merge.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { decodeTyped } from './decode.ts';
import { settleTyped } from './settle.ts';

const kind = { group: '', version: 'v1', kind: 'Pod' };
const live = (): JsonObject =>
  decodeTyped(kind, {
    metadata: { name: 'p', labels: { a: 'b' }, finalizers: ['f'] },
    spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' } } }], nodeSelector: { a: 'b' } },
  }).object;

test.each<[string, JsonObject]>([
  ['nothing', {}],
  ['a new field', { spec: { nodeName: 'n' } }],
  ['a new struct', { spec: { securityContext: { runAsUser: 0 } } }],
  ['keys of a map, before and behind', { metadata: { labels: { z: '1', A: '2' } } }],
  ['a key that is __proto__', { metadata: { labels: JSON.parse('{"__proto__":"x"}') as Json } }],
  ['a null in a map', { metadata: { labels: { z: null } } }],
  ['a new map', { metadata: { annotations: { b: '1', a: '2' } } }],
  ['a zero', { spec: { hostNetwork: false, nodeName: '' } }],
  ['a null', { spec: { nodeName: null, activeDeadlineSeconds: null } }],
  ['an empty list', { spec: { tolerations: [], initContainers: [] } }],
  ['an item of a list', { spec: { containers: [{ name: 'c', resources: { limits: { cpu: '2000m' } } }] } }],
  ['a new item', { spec: { containers: [{ name: 'd' }] } }],
  ['a quantity', { spec: { overhead: { cpu: '1000m' } } }],
  ['a time', { metadata: { deletionTimestamp: '2024-01-01T02:00:00.5+02:00' } }],
  ['a field that there is not', { spec: { nothing: 1 }, other: 2 }],
])('decodes changed fields like the whole object: %s', (_, patch) => {
  const merged = merge(live(), patch, typedSchema(kind)) as JsonObject;
  const whole = decodeTyped(kind, merged).object;
  settleTyped(kind, merged, patch);
  expect(merged).toEqual(whole);
  expect(decodeTyped(kind, merged).object).toEqual(whole);
});

test('leaves fields unchanged that the patch does not name', () => {
  const before = live();
  const patch = { metadata: { labels: { c: 'd' } }, spec: { nodeName: 'n' } };
  const merged = merge(before, patch, typedSchema(kind)) as JsonObject;
  settleTyped(kind, merged, patch);
  const [spec, merge1] = [before['spec'] as JsonObject, merged['spec'] as JsonObject];
  expect(merge1['containers']).toBe(spec['containers']);
  expect(before).toEqual(live());
});

test('throws the same errors as a decode of the whole object', () => {
  const patch = { spec: { overhead: { cpu: 'x' } } };
  const merged = merge(live(), patch, typedSchema(kind)) as JsonObject;
  expect(() => settleTyped(kind, merged, patch)).toThrow('quantities must match the regular expression');
  const wrong = { ...live(), metadata: { generation: 'x' } };
  expect(() => settleTyped(kind, wrong, { metadata: { generation: 'x' } })).toThrow(
    'json: cannot unmarshal string into Go struct field ObjectMeta.metadata.generation of type int64',
  );
});
