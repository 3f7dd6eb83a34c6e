import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { affinityTo, fitsNode, targetOf } from './node-affinity.ts';

const node: JsonObject = { metadata: { name: 'a', labels: { disk: 'ssd', cores: '8' } } };

const required = (...nodeSelectorTerms: JsonObject[]): JsonObject => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const labels = (key: string, operator: string, ...values: string[]): JsonObject => ({
  matchExpressions: [{ key, operator, values }],
});
const named = (operator: string, ...values: string[]): JsonObject => ({
  matchFields: [{ key: 'metadata.name', operator, values }],
});

describe('a node fits', () => {
  test.each<[string, JsonObject, boolean]>([
    ['nothing asked', {}, true],
    ['its labels', { nodeSelector: { disk: 'ssd' } }, true],
    ['a label of another', { nodeSelector: { disk: 'hdd' } }, false],
    ['no term', required(), false],
    ['an empty term', required({}), false],
    ['one of two terms', required(labels('disk', 'In', 'hdd'), labels('disk', 'Exists')), true],
    ['one of two conditions', required({ ...labels('disk', 'Exists'), ...named('In', 'b') }), false],
    ['more', required(labels('cores', 'Gt', '4')), true],
    ['less', required(labels('cores', 'Lt', '4')), false],
    ['what cannot be', required(labels('cores', 'Gt', 'x')), false],
    ['an operator that is none', required(labels('cores', 'Like', '4')), false],
    ['its name', required(named('In', 'a')), true],
    ['any but its name', required(named('NotIn', 'a')), false],
    ['any but another', required(named('NotIn', 'b')), true],
    ['two names', required(named('In', 'a', 'b')), false],
    ['labels and terms', { nodeSelector: { disk: 'hdd' }, ...required(named('In', 'a')) }, false],
  ])('%s', (_, spec, expected) => {
    expect(fitsNode(spec, node)).toBe(expected);
  });
});

test('an affinity to a node takes the place of what was required, and leaves the rest', () => {
  const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] };
  const podAffinity = { x: 1 };
  const affinity = affinityTo('b', { podAffinity, nodeAffinity: { ...preferred, ...required(labels('x', 'Exists')) } });
  expect(affinity).toMatchObject({ podAffinity, nodeAffinity: preferred });
  expect(fitsNode({ affinity }, { metadata: { name: 'b' } })).toBe(true);
  expect(targetOf({ spec: { affinity } })).toBe('b');
});

test.each<[string, JsonObject, string | undefined]>([
  ['where it is', { nodeName: 'n', ...required(named('In', 'a')) }, 'n'],
  ['where it is to be', required(labels('disk', 'Exists'), named('In', 'a')), 'a'],
  ['not one place', required(named('In', 'a', 'b')), undefined],
  ['anywhere', {}, undefined],
])('a pod tells %s', (_, spec, expected) => {
  expect(targetOf({ spec })).toBe(expected);
});
