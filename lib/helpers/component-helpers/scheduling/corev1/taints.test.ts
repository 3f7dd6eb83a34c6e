import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Toleration } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import { findUntoleratedTaint, tolerates } from './taints.ts';

const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };

test.each<[string, Toleration, boolean]>([
  ['the same key, value and effect', { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }, true],
  ['an equal value without an operator', { key: 'k', value: 'v', effect: 'NoSchedule' }, true],
  ['another value', { key: 'k', operator: 'Equal', value: 'w', effect: 'NoSchedule' }, false],
  ['any value', { key: 'k', operator: 'Exists', effect: 'NoSchedule' }, true],
  ['another key', { key: 'l', operator: 'Exists', effect: 'NoSchedule' }, false],
  ['another effect', { key: 'k', operator: 'Exists', effect: 'NoExecute' }, false],
  ['any effect', { key: 'k', operator: 'Exists' }, true],
  ['all taints', { operator: 'Exists' }, true],
  ['an unknown operator', { key: 'k', operator: 'Gt', value: 'v' }, false],
])('matches a taint with a toleration of %s', (_, toleration, expected) => {
  expect(tolerates(toleration, taint)).toBe(expected);
});

test('finds the first untolerated taint with an effect', () => {
  const other = { key: 'o', effect: 'NoExecute' };
  const node = decodedAs(NODES, { spec: { taints: [taint, other] } });
  expect(findUntoleratedTaint(node, [], ['NoSchedule', 'NoExecute'])).toEqual(taint);
  expect(findUntoleratedTaint(node, [{ key: 'k', operator: 'Exists' }], ['NoSchedule', 'NoExecute'])).toEqual(other);
  expect(findUntoleratedTaint(node, [{ key: 'k', operator: 'Exists' }], ['NoSchedule'])).toBeUndefined();
  expect(findUntoleratedTaint(decodedAs(NODES, {}), [], ['NoSchedule'])).toBeUndefined();
});
