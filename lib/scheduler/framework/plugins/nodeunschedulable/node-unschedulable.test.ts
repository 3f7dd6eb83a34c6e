import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { filterOn, isQueuedOn } from '#lib/scheduler/testing/extension-points.ts';
import { aNode, aNodeInfo, aPod } from '#lib/scheduler/testing/wrappers.ts';
import type { Outcome } from '../../status.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';

const cordoned = aNode({ unschedulable: true });
const open = aNode();
const tolerant = aPod({
  spec: { tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }] },
});
const refused = { code: 'UnschedulableAndUnresolvable', reasons: ['node(s) were unschedulable'] } as const;

test.each<[string, Pod, boolean, Outcome]>([
  ['a cordoned node', aPod(), true, refused],
  ['an open node', aPod(), false, undefined],
  ['a cordoned node that the pod tolerates', tolerant, true, undefined],
])('filters %s correctly', (_, pod, unschedulable, expected) => {
  expect(filterOn(nodeUnschedulable(), pod, aNodeInfo({ unschedulable }))).toEqual(expected);
});

describe('NodeUnschedulable: queueing hints', () => {
  test.each<[string, JsonObject | undefined, JsonObject, boolean]>([
    ['no for a new cordoned node', undefined, cordoned, false],
    ['yes for a new open node', undefined, open, true],
    ['no for a node that stays cordoned', cordoned, cordoned, false],
    ['no for a node that stays open', open, open, false],
    ['yes for a node that is uncordoned', cordoned, open, true],
  ])('decide whether to retry a waiting pod: %s', (_, before, after, expected) => {
    const change = before === undefined ? { after } : { before, after };
    expect(isQueuedOn(nodeUnschedulable(), ['Node', 'UpdateNodeTaint'], aPod(), change)).toBe(expected);
  });

  test.each<[string, JsonObject, boolean]>([
    ['no if another pod becomes tolerant', { ...tolerant, metadata: { uid: 'other' } }, false],
    ['yes if the pod becomes tolerant', tolerant, true],
    [
      'no if the pod tolerates another taint',
      aPod({ spec: { tolerations: [{ key: 'x', operator: 'Exists' }] } }),
      false,
    ],
  ])('decide on a changed toleration: %s', (_, after, expected) => {
    const change = { before: aPod(), after };
    expect(isQueuedOn(nodeUnschedulable(), ['Pod', 'UpdatePodToleration'], aPod(), change)).toBe(expected);
  });
});
