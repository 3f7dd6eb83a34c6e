import { expect, test } from 'vitest';
import { aNode, aPod, type NodeOf, type PodOf } from '../testing/wrappers.ts';
import { nodeChanges, podChanges } from './properties-change.ts';

const gates = { schedulingGates: [{ name: 'hold' }] };

test.each<[string, PodOf, PodOf, string[]]>([
  ['fields without a specific event', {}, { annotations: { a: 'b' } }, ['Update']],
  ['labels', { labels: { a: 'b' } }, { labels: { a: 'c' } }, ['UpdatePodLabel']],
  ['less of a resource', { requests: { cpu: '2' } }, { requests: { cpu: '1500m' } }, ['UpdatePodScaleDown']],
  ['none of a resource', { requests: { cpu: '2' } }, {}, ['UpdatePodScaleDown']],
  ['more of a resource', { requests: { cpu: '1' } }, { requests: { cpu: '2' } }, ['Update']],
  ['no scheduling gates', { spec: gates }, {}, ['UpdatePodSchedulingGatesEliminated']],
  [
    'fewer scheduling gates',
    { spec: { schedulingGates: [{ name: 'a' }, { name: 'hold' }] } },
    { spec: gates },
    ['Update'],
  ],
  ['a toleration', {}, { spec: { tolerations: [{ operator: 'Exists' }] } }, ['UpdatePodToleration']],
  [
    'a generated claim',
    {},
    { status: { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'x' }] } },
    ['UpdatePodGeneratedResourceClaim'],
  ],
  ['several fields', { labels: { a: 'b' }, spec: gates }, {}, ['UpdatePodLabel', 'UpdatePodSchedulingGatesEliminated']],
])('reports the events of a pod’s change to %s', (_, before, after, expected) => {
  expect(podChanges(aPod(before), aPod(after)).map(({ action }) => action)).toEqual(expected);
});

const condition = (status: string, more = {}) => ({ conditions: [{ type: 'Ready', status, ...more }] });

test.each<[string, NodeOf, NodeOf, string[]]>([
  ['nothing', { labels: { a: 'b' } }, { labels: { a: 'b' } }, []],
  ['labels', {}, { labels: { a: 'b' } }, ['UpdateNodeLabel']],
  ['annotations', {}, { annotations: { a: 'b' } }, ['UpdateNodeAnnotation']],
  ['its capacity', { capacity: { cpu: '1' } }, { capacity: { cpu: '2' } }, ['UpdateNodeAllocatable']],
  ['taints', {}, { taints: [{ key: 'a', effect: 'NoSchedule' }] }, ['UpdateNodeTaint']],
  ['schedulable', { unschedulable: true }, {}, ['UpdateNodeTaint']],
  ['unschedulable', {}, { unschedulable: true }, []],
  ['a condition', { status: condition('False') }, { status: condition('True') }, ['UpdateNodeCondition']],
  [
    'a heartbeat',
    { status: condition('True') },
    { status: condition('True', { lastHeartbeatTime: '2026-01-01T00:00:00Z' }) },
    [],
  ],
  ['features', {}, { status: { declaredFeatures: ['A'] } }, ['UpdateNodeDeclaredFeature']],
])('reports the events of a node’s change to %s', (_, before, after, expected) => {
  expect(nodeChanges(aNode(before), aNode(after)).map(({ action }) => action)).toEqual(expected);
});
