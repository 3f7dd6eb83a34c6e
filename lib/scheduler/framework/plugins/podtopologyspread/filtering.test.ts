import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { newSnapshot } from '../../../backend/cache/snapshot.ts';
import { aHandle, aNode, aPodInfo, aSnapshot, type HandleOf, type PodOf } from '../../../testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import type { Snapshot } from '../../interface.ts';
import { podInfoOf } from '../../pod-info-of.ts';
import type { Outcome } from '../../status.ts';
import { podTopologySpreadArgs } from './args.ts';
import { podTopologySpread } from './pod-topology-spread.ts';
import { BAR, FOO, hard, inZones, labelsOf, onNodes, soft, spreading } from './testing.ts';

const SIGNS = new Map<string | undefined, string>([
  [undefined, '+'],
  ['Unschedulable', '-'],
  ['UnschedulableAndUnresolvable', '!'],
]);
const sign = (outcome: Outcome): string => SIGNS.get(outcome?.code) ?? '?';

const TAINTS = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }];
const TOLERANT = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }];
const taintedY = { y: { taints: TAINTS } };
const fooOnAll = { a: { labels: { foo: '' } }, b: { labels: { foo: '' } }, x: { labels: { foo: '' } } };
const WANTS_FOO = { spec: { nodeSelector: { foo: '' } } };
const affinityTo = (key: string, operator: string, ...values: string[]): PodOf => {
  const nodeSelectorTerms = [{ matchExpressions: [{ key, operator, values }] }];
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  return { spec: { affinity: { nodeAffinity } } };
};

const aPlugin = (snapshot: Snapshot = newSnapshot([]), of: HandleOf = {}, args: unknown = { defaultingType: 'List' }) =>
  podTopologySpread(podTopologySpreadArgs.parse(args), aHandle({ snapshot, ...of }));

/** The verdict on each node: `+` if it fits, `-` if preemption may help, `!` if it cannot. */
function verdicts(pod: Pod, nodes: Node[], pods: Pod[], of: HandleOf = {}, args?: unknown): string {
  const snapshot = aSnapshot(nodes, pods);
  const [plugin, state, info] = [aPlugin(snapshot, of, args), new CycleState(), podInfoOf(pod)];
  const { status } = plugin.preFilter?.(state, info, snapshot.nodes) ?? {};
  if (status !== undefined) return status.code;
  return snapshot.nodes.map((node) => sign(plugin.filter?.(state, info, node))).join('');
}

describe('PodTopologySpread: filter with one constraint', () => {
  const zone = [hard('zone')];
  const node = [hard('node')];
  const skew2 = { maxSkew: 2 };

  test.each<[string, Pod, string, string]>([
    ['any node without pods', spreading(zone), '', '++++'],
    [
      'any node if no pod matches, including itself',
      spreading([hard('zone', { labelSelector: BAR })], { labels: labelsOf('foo') }),
      '',
      '++++',
    ],
    ['any node without a selector', spreading([{ ...hard('zone'), labelSelector: null }]), 'x:foo y:foo', '++++'],
    ['any node if zones are even', spreading(zone), 'a:foo a:foo b:foo y:foo y:foo y:foo', '++++'],
    ['the emptiest node only', spreading(node), 'a:foo a:foo b:foo y:foo y:foo y:foo', '--+-'],
    [
      'the two emptiest nodes with a larger skew',
      spreading([hard('node', skew2)]),
      'a:foo a:foo b:foo y:foo y:foo y:foo',
      '-++-',
    ],
    [
      'nodes if the pod does not match its own selector',
      spreading(node, { labels: labelsOf('bar') }),
      'a:foo a:foo b:foo y:foo y:foo y:foo',
      '-++-',
    ],
    [
      'fewer nodes because of matching pods of others',
      spreading(node, affinityTo('node', 'In', 'a', 'y')),
      'a:foo a:foo b:foo y:foo y:foo y:foo',
      '+++-',
    ],
    [
      'nodes that its affinity excludes from the count',
      spreading(zone, affinityTo('node', 'NotIn', 'b')),
      'b:foo b:foo y:foo',
      '++--',
    ],
    [
      'nodes as if an empty domain existed if there are too few',
      spreading([hard('zone', { ...skew2, minDomains: 3 })]),
      'a:foo b:foo y:foo',
      '--++',
    ],
    [
      'nodes by the real domains if there are enough',
      spreading([hard('zone', { ...skew2, minDomains: 2 })]),
      'a:foo b:foo y:foo',
      '++++',
    ],
    ['no node without the topology label', spreading([hard('rack')]), '', '!!!!'],
    ['any node if the selector is empty', spreading([hard('zone', { labelSelector: {} })]), 'x:foo y:foo', '++++'],
  ])('allows a pod on %s', (_, pod, pods, expected) => expect(verdicts(pod, inZones(), onNodes(pods))).toBe(expected));

  test.each<[string, Pod, Pod[], string]>([
    [
      'of other namespaces',
      spreading(zone),
      [...onNodes('a:foo b:foo', { namespace: 'other' }), ...onNodes('x:foo y:foo')],
      '++--',
    ],
    [
      'that are terminating',
      spreading(node),
      [...onNodes('a:foo b:foo x:foo', { deleted: '2026-01-01T00:00:00Z' }), ...onNodes('y:foo')],
      '+++-',
    ],
  ])('does not count pods %s', (_, pod, pods, expected) => {
    const distinct = pods.map((one, i): Pod => ({ ...one, metadata: { ...one.metadata, uid: `u${i}` } }));
    expect(verdicts(pod, inZones(), distinct)).toBe(expected);
  });

  test('does not count nodes without the label', () => {
    const nodes = [...inZones().slice(0, 1), aNode({ name: 'b', labels: { zon: 'zone1' } }), ...inZones().slice(2)];
    expect(verdicts(spreading(zone), nodes, onNodes('a:foo b:foo x:foo y:foo'))).toBe('+!--');
  });
});

describe('PodTopologySpread: eligible nodes', () => {
  const one = (more: JsonObject): JsonObject[] => [hard('node', more)];
  const wantsFoo = affinityTo('foo', 'In', '');

  test.each<[string, Pod, Parameters<typeof inZones>[0], string]>([
    ['only those that match the node selector', spreading(one({}), WANTS_FOO), fooOnAll, '--++'],
    [
      'all if the policy ignores the node selector',
      spreading(one({ nodeAffinityPolicy: 'Ignore' }), WANTS_FOO),
      fooOnAll,
      '--+-',
    ],
    ['only those that match the node affinity', spreading(one({}), wantsFoo), fooOnAll, '--++'],
    [
      'all if the policy ignores the node affinity',
      spreading(one({ nodeAffinityPolicy: 'Ignore' }), wantsFoo),
      fooOnAll,
      '--+-',
    ],
    ['only those without taints', spreading(one({ nodeTaintsPolicy: 'Honor' })), taintedY, '--++'],
    [
      'also those with tolerated taints',
      spreading(one({ nodeTaintsPolicy: 'Honor' }), { spec: { tolerations: TOLERANT } }),
      taintedY,
      '--+-',
    ],
    ['all because taints are ignored', spreading(one({})), taintedY, '--+-'],
  ])('counts nodes: %s', (_, pod, nodes, expected) => {
    expect(verdicts(pod, inZones(nodes), onNodes('a:foo b:foo y:foo'))).toBe(expected);
  });

  const half = { a: { labels: { foo: '' } }, x: { labels: { foo: '' } }, y: { labels: { foo: '' }, taints: TAINTS } };
  const ignored = { nodeAffinityPolicy: 'Ignore' };
  const honored = { nodeTaintsPolicy: 'Honor' };

  test.each<[string, Pod, Parameters<typeof inZones>[0], string]>([
    ['affinity for zones only', spreading([hard('zone'), hard('node', ignored)], WANTS_FOO), fooOnAll, '--+-'],
    ['taints for zones only', spreading([hard('zone', honored), hard('node')]), taintedY, '--+-'],
    ['affinity for both', spreading([hard('zone'), hard('node')], WANTS_FOO), half, '-++-'],
    [
      'affinity and taints for zones, neither for nodes',
      spreading([hard('zone', honored), hard('node', ignored)], WANTS_FOO),
      half,
      '--+-',
    ],
  ])('applies node policies to two constraints: %s', (_, pod, nodes, expected) => {
    expect(verdicts(pod, inZones(nodes), onNodes('a:foo b:foo y:foo'))).toBe(expected);
  });
});

describe('PodTopologySpread: several constraints', () => {
  const same = [hard('zone'), hard('node')];
  const apart = [hard('zone'), hard('node', { labelSelector: BAR })];
  const zones = [hard('zone', { labelSelector: BAR }), hard('zone')];

  test.each<[string, Pod, string, string]>([
    ['any zone but one node', spreading(same), 'a:foo a:foo b:foo y:foo y:foo y:foo', '--+-'],
    ['one zone but a node of the other', spreading(same), 'a:foo a:foo b:foo y:foo y:foo y:foo y:foo', '----'],
    ['for different pods', spreading(apart), 'a:foo,bar y:bar', '--+-'],
    ['contradictory for different pods', spreading(apart), 'a:foo x:bar y:bar', '----'],
    ['satisfied by one node for different pods', spreading(apart), 'a:foo a:foo,bar y:foo y:foo,bar y:foo', '-+--'],
    ['for pods other than itself', spreading(apart, { labels: labelsOf('bar') }), 'a:foo x:bar y:bar', '++--'],
    ['with the same key', spreading(zones), 'a:foo,bar a:foo b:foo,bar y:foo y:foo,bar y:foo', '--++'],
    [
      'contradictory with the same key',
      spreading(zones),
      'a:foo,bar a:foo b:foo,bar y:foo y:foo,bar y:foo y:foo',
      '----',
    ],
    ['without the soft ones', spreading([soft('zone'), hard('node')]), 'a:foo b:foo x:foo', '---+'],
  ])('checks all constraints: %s', (_, pod, pods, expected) =>
    expect(verdicts(pod, inZones(), onNodes(pods))).toBe(expected),
  );
});

describe('PodTopologySpread with matchLabelKeys', () => {
  const keys = (matchLabelKeys: string[], labelSelector: JsonObject | null = FOO): JsonObject[] => [
    hard('zone', { matchLabelKeys, labelSelector }),
  ];

  test.each<[string, JsonObject[], string]>([
    ['narrow the selector', keys(['bar']), '++--'],
    ['are the whole selector if it is empty', keys(['bar'], {}), '++--'],
    ['are ignored without a selector', keys(['bar'], null), '++++'],
    ['are ignored because the pod lacks them', keys(['baz']), '--++'],
  ])('matches pods by label keys that %s', (_, constraints, expected) => {
    const pods = onNodes('a:foo a:foo b:foo x:foo,bar y:foo,bar');
    expect(verdicts(spreading(constraints), inZones(), pods)).toBe(expected);
  });
});

describe('PodTopologySpread: default constraints', () => {
  const service: JsonObject = { metadata: { name: 's', namespace: 'default' }, spec: { selector: { foo: '' } } };
  const plain = aPodInfo({ name: 'p', labels: labelsOf('foo') }).pod;
  const list = (...defaultConstraints: JsonObject[]): unknown => ({ defaultingType: 'List', defaultConstraints });
  const { labelSelector: _, ...zone } = hard('zone');

  test.each<[string, Pod, unknown, JsonObject, string]>([
    ['yes for pods of a service', plain, list(zone), service, '++--'],
    ['no for pods of no service', plain, list(zone), { ...service, spec: { selector: { bar: '' } } }, 'Skip'],
    ['no for pods with their own constraints', spreading([hard('node')]), list(zone), service, '++--'],
    ['soft ones refuse no node', plain, list({ ...zone, whenUnsatisfiable: 'ScheduleAnyway' }), service, 'Skip'],
    ["of the scheduler's own refuse nothing", plain, {}, service, 'Skip'],
    ['an empty list refuses no node', plain, list(), service, 'Skip'],
  ])('apply to pods without their own: %s', (_name, pod, args, of, expected) => {
    const pods = onNodes('x:foo y:foo');
    expect(verdicts(pod, inZones(), pods, { objects: { services: [of] } }, args)).toBe(expected);
  });
});

describe('PodTopologySpread: AddPod and RemovePod', () => {
  /** The verdicts after pods were added (`+a:foo`) or removed (`-a:foo`). */
  function after(pod: Pod, pods: string, changes: string, of: Parameters<typeof inZones>[0] = {}): string {
    const snapshot = aSnapshot(inZones(of), onNodes(pods));
    const [plugin, state, info] = [aPlugin(snapshot), new CycleState(), podInfoOf(pod)];
    plugin.preFilter?.(state, info, snapshot.nodes);
    const tried = state.clone();
    for (const change of changes.split(' ')) {
      const node = snapshot.get(change.charAt(1));
      if (node === undefined) throw new Error(change);
      const other = aPodInfo({
        name: 'q',
        labels: labelsOf(change.slice(3)),
        namespace: change.includes('other') ? 'o' : 'default',
      });
      const extensions = plugin.preFilterExtensions;
      if (change.startsWith('+')) extensions?.addPod(tried, info, other, node);
      else extensions?.removePod(tried, info, other, node);
    }
    const [before, now] = [state, tried].map((one) =>
      snapshot.nodes.map((node) => sign(plugin.filter?.(one, info, node))).join(''),
    );
    return `${before} ${now}`;
  }
  const both = [hard('zone'), hard('node')];

  test.each<[string, Pod, string, string, string]>([
    ['added a pod to an empty domain', spreading([hard('node')]), 'a:foo', '+b:foo', '-+++ --++'],
    ['added a pod to the last empty domain', spreading([hard('zone')]), 'a:foo', '+x:foo', '--++ ++++'],
    ['added a pod to a domain that is not the emptiest', spreading([hard('node')]), 'a:foo', '+a:foo', '-+++ -+++'],
    ['added a pod of another namespace', spreading([hard('node')]), 'a:foo', '+b:foo,other', '-+++ -+++'],
    ['added a pod that is not selected', spreading([hard('node')]), 'a:foo', '+b:bar', '-+++ -+++'],
    ['added a pod that counts for two constraints', spreading(both), 'a:foo', '+x:foo', '--++ -+-+'],
    [
      'removed a pod from the emptiest domain',
      spreading([hard('zone')]),
      'a:foo a:foo x:foo x:foo',
      '-a:foo',
      '++++ ++--',
    ],
    ['removed a pod from the fullest domain', spreading([hard('zone')]), 'a:foo a:foo x:foo', '-a:foo', '--++ ++++'],
    ['removed a pod that does not count', spreading([hard('zone')]), 'a:foo a:bar x:foo', '-a:bar', '++++ ++++'],
    [
      'removed a pod that counts for two constraints',
      spreading(both),
      'a:foo a:foo b:foo x:foo x:foo',
      '-x:foo',
      '---+ ---+',
    ],
    ['all domains changed', spreading([hard('node')]), '', '+a:foo +b:foo +x:foo +y:foo', '++++ ++++'],
    ['all but one changed', spreading([hard('node')]), '', '+a:foo +b:foo +x:foo', '++++ ---+'],
    ['added and removed a pod', spreading([hard('node')]), 'a:foo', '+b:foo -b:foo', '-+++ -+++'],
  ])('updates the verdicts: %s', (_, pod, pods, changes, expected) => expect(after(pod, pods, changes)).toBe(expected));

  test.each<[string, Pod, string, string]>([
    ['does not count', spreading([hard('node')], affinityTo('foo', 'In', '')), '+y:foo', '++++ ++++'],
    [
      'counts if affinity is ignored',
      spreading([hard('node', { nodeAffinityPolicy: 'Ignore' })], affinityTo('foo', 'In', '')),
      '+y:foo',
      '++++ +++-',
    ],
  ])('ignores or counts a pod added to a node that %s', (_, pod, changes, expected) => {
    expect(after(pod, '', changes, fooOnAll)).toBe(expected);
  });
});

test('reports an invalid selector as an error', () => {
  const constraint = hard('zone', { labelSelector: { matchExpressions: [{ key: 'k', operator: 'Like' }] } });
  expect(aPlugin().preFilter?.(new CycleState(), podInfoOf(spreading([constraint])), [])).toEqual({
    status: {
      code: 'Error',
      reasons: [`obtaining pod's hard topology spread constraints: "Like" is not a valid label selector operator`],
    },
  });
});

test('reports the reason for a node that does not fit', () => {
  const snapshot = aSnapshot([...inZones(), aNode({ name: 'z' })], onNodes('a:foo'));
  const [plugin, state, info] = [aPlugin(snapshot), new CycleState(), podInfoOf(spreading([hard('node')]))];
  plugin.preFilter?.(state, info, snapshot.nodes);
  const said = ['a', 'z'].map((name) =>
    plugin.filter?.(state, info, snapshot.nodes.find((one) => one.name === name) ?? never()),
  );
  expect(said.map((one) => one?.reasons)).toEqual([
    ["node(s) didn't match pod topology spread constraints"],
    ["node(s) didn't match pod topology spread constraints (missing required label)"],
  ]);
});

const never = (): never => {
  throw new Error('no such node');
};
