import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { disrupted, evictionTime } from './decide.ts';

const at = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');
const aPod = (tolerations: JsonObject[], more: JsonObject = {}, status: JsonObject = {}): Pod =>
  decodedAs(PODS, { metadata: { name: 'p', creationTimestamp: at(50), ...more }, spec: { tolerations }, status });
const aNode = (taints: JsonObject[], managedFields: JsonObject[] = []): Node =>
  decodedAs(NODES, { metadata: { name: 'n', creationTimestamp: at(1), managedFields }, spec: { taints } });
const taint = (key: string, timeAdded?: number): JsonObject => ({
  key,
  effect: 'NoExecute',
  ...defined({ timeAdded: timeAdded === undefined ? undefined : at(timeAdded) }),
});
const tolerate = (key: string, tolerationSeconds?: number): JsonObject => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...defined({ tolerationSeconds }),
});
const write = { time: at(80), fieldsV1: { 'f:spec': { 'f:taints': {} } } };

test.each<[string, Pod, Node, number | undefined]>([
  ['without a taint', aPod([]), aNode([]), undefined],
  ['that tolerates no taint', aPod([]), aNode([taint('a')]), -Infinity],
  ['that tolerates another taint', aPod([tolerate('b')]), aNode([taint('a')]), -Infinity],
  ['that tolerates the taint forever', aPod([tolerate('a')]), aNode([taint('a')]), undefined],
  ['that tolerates the taint for no time', aPod([tolerate('a', 0)]), aNode([taint('a', 100)]), -Infinity],
  ['that tolerates the taint for a while', aPod([tolerate('a', 30)]), aNode([taint('a', 100)]), 130_000],
  ['created after the taint', aPod([tolerate('a', 30)]), aNode([taint('a', 10)]), 80_000],
  ['whose taint has no time', aPod([tolerate('a', 30)]), aNode([taint('a')], [write]), 110_000],
  ['with two taints', aPod([tolerate('a', 30), tolerate('b', 10)]), aNode([taint('a', 100), taint('b', 110)]), 120_000],
  ['that is being deleted', aPod([], { deletionTimestamp: at(1) }), aNode([taint('a')]), undefined],
])('computes when to evict a pod %s', (_, pod, node, expected) => expect(evictionTime(pod, node)).toBe(expected));

test('sets the condition DisruptionTarget at its place in the status, once', () => {
  const before = [
    { type: 'DisruptionTarget', status: 'False' },
    { type: 'Ready', status: 'True' },
  ];
  const status = disrupted(aPod([], {}, { conditions: before }), 100_000);
  expect(status?.conditions).toMatchObject([
    { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager', lastTransitionTime: at(100) },
    { type: 'Ready' },
  ]);
  expect(disrupted(decodedAs(PODS, { status: status ?? {} }), 200_000)).toBeUndefined();
});
