import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { requiredNodeAffinity } from '#lib/helpers/component-helpers/scheduling/corev1/node-affinity.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { affinityTo, targetOf } from './node-affinity.ts';

const aPod = (spec: JsonObject): Pod => decodedAs(PODS, { spec });
const required = (...nodeSelectorTerms: JsonObject[]): JsonObject => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const labels = (key: string, operator: string, ...values: string[]): JsonObject => ({
  matchExpressions: [{ key, operator, values }],
});
const named = (operator: string, ...values: string[]): JsonObject => ({
  matchFields: [{ key: 'metadata.name', operator, values }],
});

test('replaces the required terms of an affinity with the node, and keeps the rest', () => {
  const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: {} }] };
  const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] };
  const affinity = affinityTo('b', { podAffinity, nodeAffinity: { ...preferred, ...required(labels('x', 'Exists')) } });
  expect(affinity).toMatchObject({ podAffinity, nodeAffinity: preferred });
  expect(requiredNodeAffinity({ containers: [], affinity }).matches({ name: 'b', labels: {} })).toBe(true);
  expect(targetOf(aPod({ affinity }))).toBe('b');
});

test.each<[string, JsonObject, string | undefined]>([
  ['the node of a scheduled pod', { nodeName: 'n', ...required(named('In', 'a')) }, 'n'],
  ['the node in the affinity of a pending pod', required(labels('disk', 'Exists'), named('In', 'a')), 'a'],
  ['no node if the affinity names two', required(named('In', 'a', 'b')), undefined],
  ['no node if the affinity names none', {}, undefined],
])('targetOf returns %s', (_, spec, expected) => {
  expect(targetOf(aPod(spec))).toBe(expected);
});
