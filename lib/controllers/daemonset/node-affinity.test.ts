import { expect, test } from 'vitest';
import { requiredNodeAffinity } from '#lib/component-helpers/scheduling/corev1/node-affinity.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { affinityTo, targetOf } from './node-affinity.ts';

const required = (...nodeSelectorTerms: JsonObject[]): JsonObject => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const labels = (key: string, operator: string, ...values: string[]): JsonObject => ({
  matchExpressions: [{ key, operator, values }],
});
const named = (operator: string, ...values: string[]): JsonObject => ({
  matchFields: [{ key: 'metadata.name', operator, values }],
});

test('an affinity to a node takes the place of what was required, and leaves the rest', () => {
  const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] };
  const podAffinity = { x: 1 };
  const affinity = affinityTo('b', { podAffinity, nodeAffinity: { ...preferred, ...required(labels('x', 'Exists')) } });
  expect(affinity).toMatchObject({ podAffinity, nodeAffinity: preferred });
  expect(requiredNodeAffinity({ containers: [], affinity }).matches({ name: 'b', labels: {} })).toBe(true);
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
