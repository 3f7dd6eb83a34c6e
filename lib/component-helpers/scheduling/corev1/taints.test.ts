import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { findUntoleratedTaint, tolerates } from './taints.ts';

const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };

test.each<[string, JsonObject, boolean]>([
  ['the same', { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }, true],
  ['equal where no operator is', { key: 'k', value: 'v', effect: 'NoSchedule' }, true],
  ['another value', { key: 'k', operator: 'Equal', value: 'w', effect: 'NoSchedule' }, false],
  ['any value', { key: 'k', operator: 'Exists', effect: 'NoSchedule' }, true],
  ['another key', { key: 'l', operator: 'Exists', effect: 'NoSchedule' }, false],
  ['another effect', { key: 'k', operator: 'Exists', effect: 'NoExecute' }, false],
  ['any effect', { key: 'k', operator: 'Exists' }, true],
  ['all', { operator: 'Exists' }, true],
  ['an operator that is not there', { key: 'k', operator: 'Gt', value: 'v' }, false],
])('a toleration of %s', (_, toleration, expected) => {
  expect(tolerates(toleration, taint)).toBe(expected);
});

test('the first taint of an effect without a toleration', () => {
  const other = { key: 'o', effect: 'NoExecute' };
  const node = { spec: { taints: [taint, other] } };
  expect(findUntoleratedTaint(node, [], ['NoSchedule', 'NoExecute'])).toEqual(taint);
  expect(findUntoleratedTaint(node, [{ key: 'k', operator: 'Exists' }], ['NoSchedule', 'NoExecute'])).toEqual(other);
  expect(findUntoleratedTaint(node, [{ key: 'k', operator: 'Exists' }], ['NoSchedule'])).toBeUndefined();
  expect(findUntoleratedTaint({}, [], ['NoSchedule'])).toBeUndefined();
});
