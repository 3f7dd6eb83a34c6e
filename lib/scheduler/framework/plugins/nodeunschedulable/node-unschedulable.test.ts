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
])('%s', (_, pod, unschedulable, expected) => {
  expect(filterOn(nodeUnschedulable(), pod, aNodeInfo({ unschedulable }))).toEqual(expected);
});

describe('a waiting pod is tried again', () => {
  test.each<[string, JsonObject | undefined, JsonObject, boolean]>([
    ['not for a new cordoned node', undefined, cordoned, false],
    ['for a new open node', undefined, open, true],
    ['not for one that stays cordoned', cordoned, cordoned, false],
    ['not for one that stays open', open, open, false],
    ['for one that is uncordoned', cordoned, open, true],
  ])('%s', (_, before, after, expected) => {
    const change = before === undefined ? { after } : { before, after };
    expect(isQueuedOn(nodeUnschedulable(), ['Node', 'UpdateNodeTaint'], aPod(), change)).toBe(expected);
  });

  test.each<[string, JsonObject, boolean]>([
    ['not when another pod becomes tolerant', { ...tolerant, metadata: { uid: 'other' } }, false],
    ['when it becomes tolerant', tolerant, true],
    [
      'not when it tolerates something else',
      aPod({ spec: { tolerations: [{ key: 'x', operator: 'Exists' }] } }),
      false,
    ],
  ])('%s', (_, after, expected) => {
    const change = { before: aPod(), after };
    expect(isQueuedOn(nodeUnschedulable(), ['Pod', 'UpdatePodToleration'], aPod(), change)).toBe(expected);
  });
});
