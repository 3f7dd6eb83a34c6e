import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aggregate, FieldPath } from '#lib/machinery/validation/field.ts';
import { newNodeSelector, newPreferredSchedulingTerms, requiredNodeAffinity } from './node-affinity.ts';

const node = { name: 'a', labels: { disk: 'ssd', cores: '8' } };

const required = (...nodeSelectorTerms: JsonObject[]): JsonObject => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const labels = (key: string, operator: string, ...values: string[]): JsonObject => ({
  matchExpressions: [{ key, operator, values }],
});
const named = (operator: string, ...values: string[]): JsonObject => ({
  matchFields: [{ key: 'metadata.name', operator, values }],
});

describe('requiredNodeAffinity of a pod', () => {
  test.each<[string, JsonObject, boolean]>([
    ['nothing', {}, true],
    ['its labels', { nodeSelector: { disk: 'ssd' } }, true],
    ['a label of another node', { nodeSelector: { disk: 'hdd' } }, false],
    ['no term', required(), false],
    ['an empty term', required({}), false],
    ['one of two terms', required(labels('disk', 'In', 'hdd'), labels('disk', 'Exists')), true],
    ['one of two conditions', required({ ...labels('disk', 'Exists'), ...named('In', 'b') }), false],
    ['more than a number', required(labels('cores', 'Gt', '4')), true],
    ['less than a number', required(labels('cores', 'Lt', '4')), false],
    ['more than a value that is not a number', required(labels('cores', 'Gt', 'x')), false],
    ['an unknown operator', required(labels('cores', 'Like', '4')), false],
    ['its name', required(named('In', 'a')), true],
    ['any name except its own', required(named('NotIn', 'a')), false],
    ['any name except another', required(named('NotIn', 'b')), true],
    ['one invalid term and one that matches', required(labels('cores', 'Like'), named('In', 'a')), true],
    ['a label named like a prototype member', { nodeSelector: { toString: '' } }, false],
    ['two names', required(named('In', 'a', 'b')), false],
    ['labels and terms', { nodeSelector: { disk: 'hdd' }, ...required(named('In', 'a')) }, false],
  ])('matches a node if the pod requires %s', (_, spec, expected) => {
    expect(requiredNodeAffinity(decodedAs(PODS, { spec }).spec).matches(node)).toBe(expected);
  });
});

test('adds up preferred terms except empty ones and those without weight', () => {
  const terms = newPreferredSchedulingTerms([
    { weight: 5, preference: labels('disk', 'In', 'ssd') },
    { weight: 2, preference: named('In', 'a') },
    { weight: 90, preference: labels('disk', 'In', 'hdd') },
    { weight: 0, preference: labels('disk', 'Like') },
    { weight: 90, preference: {} },
  ]);
  expect(terms.errors).toEqual([]);
  expect(terms.score(node)).toBe(7);
});

test('names the fields of errors', () => {
  const path = FieldPath.of('added');
  const selector = newNodeSelector({ nodeSelectorTerms: [{}, labels('cores', 'Like'), named('In', 'a', 'b')] }, path);
  expect(aggregate(selector.errors)).toBe(
    '[added.nodeSelectorTerms[1].matchExpressions[0].operator: Unsupported value: "Like": supported values: ' +
      '"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", ' +
      'added.nodeSelectorTerms[2].matchFields[0].values: Invalid value: ["a","b"]: must have one element]',
  );
  const preferred = newPreferredSchedulingTerms([{ weight: 1, preference: labels('k', 'In') }], path);
  expect(aggregate(preferred.errors)).toBe(
    "added[0].matchExpressions[0].values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
  );
});
