import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isQueuedOn } from '../../../testing/extension-points.ts';
import { aHandle, aNode, aPod, type NodeOf, type PodOf } from '../../../testing/wrappers.ts';
import type { EventResource } from '../../events.ts';
import { podTopologySpreadArgs } from './args.ts';
import { podTopologySpread } from './pod-topology-spread.ts';
import { BAR, hard, spreading } from './testing.ts';

type Change = { before?: JsonObject; after?: JsonObject };

function helps(resource: EventResource, pod: Pod, change: Change): boolean {
  const plugin = podTopologySpread(podTopologySpreadArgs.parse({}), aHandle());
  return isQueuedOn(plugin, [resource, 'Add'], pod, change);
}

const other = (labels: JsonObject, of: PodOf = {}): Pod => aPod({ name: 'q', nodeName: 'a', labels, ...of });
const foo = { foo: '' };
const zoneAndNode = spreading([hard('zone'), hard('node', { labelSelector: BAR })]);
const tolerant = spreading([hard('zone', { nodeTaintsPolicy: 'Honor' })]);
const TOLERATION = { spec: { tolerations: [{ key: 'k', operator: 'Exists' }] } };
const withToleration = (pod: Pod): Pod => ({ ...pod, spec: { ...pod.spec, ...TOLERATION.spec } });

test.each<[string, Pod, Change, boolean]>([
  ['a matching pod was added', zoneAndNode, { after: other(foo) }, true],
  ['a pod that does not match was added', zoneAndNode, { after: other({ baz: '' }) }, false],
  ['a pod without a node was added', zoneAndNode, { after: aPod({ name: 'q', labels: foo }) }, false],
  [
    'a pod without a node changed',
    zoneAndNode,
    { before: aPod({ name: 'q' }), after: aPod({ name: 'q', labels: foo }) },
    false,
  ],
  ['a pod without a node was deleted', zoneAndNode, { before: aPod({ name: 'q', labels: foo }) }, false],
  ['a pod of another namespace was added', zoneAndNode, { after: other(foo, { namespace: 'other' }) }, false],
  ['a matching pod was deleted', zoneAndNode, { before: other(foo) }, true],
  ['a pod that does not match was deleted', zoneAndNode, { before: other({ baz: '' }) }, false],
  [
    'a nominated pod was deleted',
    zoneAndNode,
    { before: aPod({ name: 'q', labels: foo, status: { nominatedNodeName: 'a' } }) },
    true,
  ],
  ['an unrelated label changed', zoneAndNode, { before: other(foo), after: other({ ...foo, baz: '' }) }, false],
  ['a pod began to match', zoneAndNode, { before: other({}), after: other(foo) }, true],
  ['a pod stopped matching', zoneAndNode, { before: other(foo), after: other({}) }, true],
  [
    'a pod began to match the second constraint',
    zoneAndNode,
    { before: other(foo), after: other({ ...foo, bar: '' }) },
    true,
  ],
  ['the pod tolerates more, and taints count', tolerant, { before: tolerant, after: withToleration(tolerant) }, true],
  [
    'the pod tolerates more, and taints do not count',
    zoneAndNode,
    { before: zoneAndNode, after: withToleration(zoneAndNode) },
    false,
  ],
  ['another pod tolerates more', tolerant, { before: other(foo), after: withToleration(other(foo)) }, false],
  [
    'the pod now matches itself',
    spreading([hard('zone')], { labels: {} }),
    { before: spreading([], { labels: {} }), after: spreading([]) },
    true,
  ],
  [
    'unrelated labels of the pod changed',
    zoneAndNode,
    { before: spreading([], { labels: foo }), after: spreading([], { labels: { ...foo, baz: '' } }) },
    false,
  ],
])('decides whether a pod change helps: %s', (_, pod, change, expected) =>
  expect(helps('Pod', pod, change)).toBe(expected),
);

const node = (labels: JsonObject, of: NodeOf = {}): JsonObject => aNode({ labels, ...of });
const both = { zone: 'z', node: 'n' };
const tainted = { taints: [{ key: 'k', effect: 'NoSchedule' }] };

test.each<[string, Change, boolean]>([
  ['is added with all keys', { after: node(both) }, true],
  ['is added with one of two keys', { after: node({ zone: 'z' }) }, false],
  ['is added without keys', { after: node(foo) }, false],
  ['is deleted with all keys', { before: node(both) }, true],
  ['is deleted without keys', { before: node(foo) }, false],
  ['moves to another domain', { before: node(both), after: node({ ...both, zone: 'other' }) }, true],
  ['gets all keys', { before: node({ zone: 'z' }), after: node(both) }, true],
  ['loses a key', { before: node(both), after: node({ zone: 'z' }) }, true],
  ['changes one of two keys', { before: node({ zone: 'z' }), after: node({ zone: 'other' }) }, false],
  ['gets another label', { before: node(both), after: node({ ...both, foo: '' }) }, false],
  ['gets a taint', { before: node(both), after: node(both, tainted) }, true],
  ['gets a taint without having all keys', { before: node({ zone: 'z' }), after: node({ zone: 'z' }, tainted) }, false],
])('decides whether a node change helps: a node %s', (_, change, expected) =>
  expect(helps('Node', zoneAndNode, change)).toBe(expected),
);
