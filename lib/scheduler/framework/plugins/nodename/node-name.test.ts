import { expect, test } from 'vitest';
import { filterOn } from '#lib/scheduler/testing/extension-points.ts';
import { aNodeInfo, aPod, type PodOf } from '#lib/scheduler/testing/wrappers.ts';
import type { Outcome } from '../../status.ts';
import { nodeName } from './node-name.ts';

const elsewhere = {
  code: 'UnschedulableAndUnresolvable',
  reasons: ["node(s) didn't match the requested node name"],
} as const;

test.each<[string, PodOf, Outcome]>([
  ['names no node', {}, undefined],
  ['names this node', { nodeName: 'foo' }, undefined],
  ['names another node', { nodeName: 'bar' }, elsewhere],
])('filters a pod that %s', (_, pod, expected) => {
  expect(filterOn(nodeName(), aPod(pod), aNodeInfo({ name: 'foo' }))).toEqual(expected);
});
