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
  ['a matching pod came', zoneAndNode, { after: other(foo) }, true],
  ['another pod came', zoneAndNode, { after: other({ baz: '' }) }, false],
  ['one without a node came', zoneAndNode, { after: aPod({ name: 'q', labels: foo }) }, false],
  [
    'one without a node changed',
    zoneAndNode,
    { before: aPod({ name: 'q' }), after: aPod({ name: 'q', labels: foo }) },
    false,
  ],
  ['one without a node went', zoneAndNode, { before: aPod({ name: 'q', labels: foo }) }, false],
  ['one of another namespace came', zoneAndNode, { after: other(foo, { namespace: 'other' }) }, false],
  ['a matching pod went', zoneAndNode, { before: other(foo) }, true],
  ['another pod went', zoneAndNode, { before: other({ baz: '' }) }, false],
  [
    'one that was nominated went',
    zoneAndNode,
    { before: aPod({ name: 'q', labels: foo, status: { nominatedNodeName: 'a' } }) },
    true,
  ],
  [
    'a label changed that is not asked for',
    zoneAndNode,
    { before: other(foo), after: other({ ...foo, baz: '' }) },
    false,
  ],
  ['a pod began to match', zoneAndNode, { before: other({}), after: other(foo) }, true],
  ['a pod ceased to match', zoneAndNode, { before: other(foo), after: other({}) }, true],
  [
    'a pod began to match the second constraint',
    zoneAndNode,
    { before: other(foo), after: other({ ...foo, bar: '' }) },
    true,
  ],
  ['it tolerates more, and taints count', tolerant, { before: tolerant, after: withToleration(tolerant) }, true],
  [
    'it tolerates more, and taints do not count',
    zoneAndNode,
    { before: zoneAndNode, after: withToleration(zoneAndNode) },
    false,
  ],
  ['another tolerates more', tolerant, { before: other(foo), after: withToleration(other(foo)) }, false],
  [
    'it matches itself now',
    spreading([hard('zone')], { labels: {} }),
    { before: spreading([], { labels: {} }), after: spreading([]) },
    true,
  ],
  [
    'its labels changed that are not asked for',
    zoneAndNode,
    { before: spreading([], { labels: foo }), after: spreading([], { labels: { ...foo, baz: '' } }) },
    false,
  ],
])('of pods: %s', (_, pod, change, expected) => expect(helps('Pod', pod, change)).toBe(expected));

const node = (labels: JsonObject, of: NodeOf = {}): JsonObject => aNode({ labels, ...of });
const both = { zone: 'z', node: 'n' };
const tainted = { taints: [{ key: 'k', effect: 'NoSchedule' }] };

test.each<[string, Change, boolean]>([
  ['came with all keys', { after: node(both) }, true],
  ['came with one of two keys', { after: node({ zone: 'z' }) }, false],
  ['came without keys', { after: node(foo) }, false],
  ['went with all keys', { before: node(both) }, true],
  ['went without keys', { before: node(foo) }, false],
  ['moved', { before: node(both), after: node({ ...both, zone: 'other' }) }, true],
  ['got all keys', { before: node({ zone: 'z' }), after: node(both) }, true],
  ['lost a key', { before: node(both), after: node({ zone: 'z' }) }, true],
  ['changed one of two keys', { before: node({ zone: 'z' }), after: node({ zone: 'other' }) }, false],
  ['got another label', { before: node(both), after: node({ ...both, foo: '' }) }, false],
  ['got a taint', { before: node(both), after: node(both, tainted) }, true],
  ['got a taint, without all keys', { before: node({ zone: 'z' }), after: node({ zone: 'z' }, tainted) }, false],
])('of nodes: one %s', (_, change, expected) => expect(helps('Node', zoneAndNode, change)).toBe(expected));
