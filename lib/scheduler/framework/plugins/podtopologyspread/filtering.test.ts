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

describe('one constraint lets a pod on', () => {
  const zone = [hard('zone')];
  const node = [hard('node')];
  const skew2 = { maxSkew: 2 };

  test.each<[string, Pod, string, string]>([
    ['any node where no pods are', spreading(zone), '', '++++'],
    [
      'any where none, not itself either, matches',
      spreading([hard('zone', { labelSelector: BAR })], { labels: labelsOf('foo') }),
      '',
      '++++',
    ],
    ['any where nothing is selected', spreading([{ ...hard('zone'), labelSelector: null }]), 'x:foo y:foo', '++++'],
    ['any where zones are even', spreading(zone), 'a:foo a:foo b:foo y:foo y:foo y:foo', '++++'],
    ['the emptiest node alone', spreading(node), 'a:foo a:foo b:foo y:foo y:foo y:foo', '--+-'],
    [
      'the two emptiest, with more skew',
      spreading([hard('node', skew2)]),
      'a:foo a:foo b:foo y:foo y:foo y:foo',
      '-++-',
    ],
    [
      'where it adds nothing itself',
      spreading(node, { labels: labelsOf('bar') }),
      'a:foo a:foo b:foo y:foo y:foo y:foo',
      '-++-',
    ],
    [
      'fewer than the pods of others',
      spreading(node, affinityTo('node', 'In', 'a', 'y')),
      'a:foo a:foo b:foo y:foo y:foo y:foo',
      '+++-',
    ],
    ['all but what counts', spreading(zone, affinityTo('node', 'NotIn', 'b')), 'b:foo b:foo y:foo', '++--'],
    [
      'few domains as if one were empty',
      spreading([hard('zone', { ...skew2, minDomains: 3 })]),
      'a:foo b:foo y:foo',
      '--++',
    ],
    ['enough domains as they are', spreading([hard('zone', { ...skew2, minDomains: 2 })]), 'a:foo b:foo y:foo', '++++'],
    ['no node without the label', spreading([hard('rack')]), '', '!!!!'],
    [
      'any where the selector is empty: then none is counted',
      spreading([hard('zone', { labelSelector: {} })]),
      'x:foo y:foo',
      '++++',
    ],
  ])('%s', (_, pod, pods, expected) => expect(verdicts(pod, inZones(), onNodes(pods))).toBe(expected));

  test.each<[string, Pod, Pod[], string]>([
    [
      'of other namespaces',
      spreading(zone),
      [...onNodes('a:foo b:foo', { namespace: 'other' }), ...onNodes('x:foo y:foo')],
      '++--',
    ],
    [
      'that are on their way out',
      spreading(node),
      [...onNodes('a:foo b:foo x:foo', { deleted: '2026-01-01T00:00:00Z' }), ...onNodes('y:foo')],
      '+++-',
    ],
  ])('pods do not count %s', (_, pod, pods, expected) => {
    const distinct = pods.map((one, i): Pod => ({ ...one, metadata: { ...one.metadata, uid: `u${i}` } }));
    expect(verdicts(pod, inZones(), distinct)).toBe(expected);
  });

  test('and no node that lacks the label counts', () => {
    const nodes = [...inZones().slice(0, 1), aNode({ name: 'b', labels: { zon: 'zone1' } }), ...inZones().slice(2)];
    expect(verdicts(spreading(zone), nodes, onNodes('a:foo b:foo x:foo y:foo'))).toBe('+!--');
  });
});

describe('eligible nodes', () => {
  const one = (more: JsonObject): JsonObject[] => [hard('node', more)];
  const wantsFoo = affinityTo('foo', 'In', '');

  test.each<[string, Pod, Parameters<typeof inZones>[0], string]>([
    ['those of the node selector', spreading(one({}), WANTS_FOO), fooOnAll, '--++'],
    ['all, if it is ignored', spreading(one({ nodeAffinityPolicy: 'Ignore' }), WANTS_FOO), fooOnAll, '--+-'],
    ['those of the node affinity', spreading(one({}), wantsFoo), fooOnAll, '--++'],
    ['all, if that is ignored', spreading(one({ nodeAffinityPolicy: 'Ignore' }), wantsFoo), fooOnAll, '--+-'],
    ['those without taints', spreading(one({ nodeTaintsPolicy: 'Honor' })), taintedY, '--++'],
    [
      'those with taints that are tolerated',
      spreading(one({ nodeTaintsPolicy: 'Honor' }), { spec: { tolerations: TOLERANT } }),
      taintedY,
      '--+-',
    ],
    ['all, since taints are ignored', spreading(one({})), taintedY, '--+-'],
  ])('%s', (_, pod, nodes, expected) => {
    expect(verdicts(pod, inZones(nodes), onNodes('a:foo b:foo y:foo'))).toBe(expected);
  });

  const half = { a: { labels: { foo: '' } }, x: { labels: { foo: '' } }, y: { labels: { foo: '' }, taints: TAINTS } };
  const ignored = { nodeAffinityPolicy: 'Ignore' };
  const honored = { nodeTaintsPolicy: 'Honor' };

  test.each<[string, Pod, Parameters<typeof inZones>[0], string]>([
    ['affinity for zones alone', spreading([hard('zone'), hard('node', ignored)], WANTS_FOO), fooOnAll, '--+-'],
    ['taints for zones alone', spreading([hard('zone', honored), hard('node')]), taintedY, '--+-'],
    ['affinity for both', spreading([hard('zone'), hard('node')], WANTS_FOO), half, '-++-'],
    [
      'both for zones, none for nodes',
      spreading([hard('zone', honored), hard('node', ignored)], WANTS_FOO),
      half,
      '--+-',
    ],
  ])('%s, of two constraints', (_, pod, nodes, expected) => {
    expect(verdicts(pod, inZones(nodes), onNodes('a:foo b:foo y:foo'))).toBe(expected);
  });
});

describe('several constraints hold together', () => {
  const same = [hard('zone'), hard('node')];
  const apart = [hard('zone'), hard('node', { labelSelector: BAR })];
  const zones = [hard('zone', { labelSelector: BAR }), hard('zone')];

  test.each<[string, Pod, string, string]>([
    ['any zone, one node', spreading(same), 'a:foo a:foo b:foo y:foo y:foo y:foo', '--+-'],
    ['one zone, a node of the other', spreading(same), 'a:foo a:foo b:foo y:foo y:foo y:foo y:foo', '----'],
    ['of different pods', spreading(apart), 'a:foo,bar y:bar', '--+-'],
    ['of different pods, that contradict', spreading(apart), 'a:foo x:bar y:bar', '----'],
    ['of different pods, in one node', spreading(apart), 'a:foo a:foo,bar y:foo y:foo,bar y:foo', '-+--'],
    ['of others than itself', spreading(apart, { labels: labelsOf('bar') }), 'a:foo x:bar y:bar', '++--'],
    ['on one key', spreading(zones), 'a:foo,bar a:foo b:foo,bar y:foo y:foo,bar y:foo', '--++'],
    ['on one key, that contradict', spreading(zones), 'a:foo,bar a:foo b:foo,bar y:foo y:foo,bar y:foo y:foo', '----'],
    ['and those that should hold are no matter', spreading([soft('zone'), hard('node')]), 'a:foo b:foo x:foo', '---+'],
  ])('%s', (_, pod, pods, expected) => expect(verdicts(pod, inZones(), onNodes(pods))).toBe(expected));
});

describe('label keys whose values have to match', () => {
  const keys = (matchLabelKeys: string[], labelSelector: JsonObject | null = FOO): JsonObject[] => [
    hard('zone', { matchLabelKeys, labelSelector }),
  ];

  test.each<[string, JsonObject[], string]>([
    ['narrow the selector', keys(['bar']), '++--'],
    ['are the selector where that is empty', keys(['bar'], {}), '++--'],
    ['do not count where nothing is selected', keys(['bar'], null), '++++'],
    ['do not count that the pod does not have', keys(['baz']), '--++'],
  ])('%s', (_, constraints, expected) => {
    const pods = onNodes('a:foo a:foo b:foo x:foo,bar y:foo,bar');
    expect(verdicts(spreading(constraints), inZones(), pods)).toBe(expected);
  });
});

describe('default constraints', () => {
  const service: JsonObject = { metadata: { name: 's', namespace: 'default' }, spec: { selector: { foo: '' } } };
  const plain = aPodInfo({ name: 'p', labels: labelsOf('foo') }).pod;
  const list = (...defaultConstraints: JsonObject[]): unknown => ({ defaultingType: 'List', defaultConstraints });
  const { labelSelector: _, ...zone } = hard('zone');

  test.each<[string, Pod, unknown, JsonObject, string]>([
    ['hold for pods of a service', plain, list(zone), service, '++--'],
    ['not for pods of none', plain, list(zone), { ...service, spec: { selector: { bar: '' } } }, 'Skip'],
    ['not for pods with their own', spreading([hard('node')]), list(zone), service, '++--'],
    [
      'do not refuse where they only should hold',
      plain,
      list({ ...zone, whenUnsatisfiable: 'ScheduleAnyway' }),
      service,
      'Skip',
    ],
    ["of the scheduler's own refuse nothing", plain, {}, service, 'Skip'],
    ['that are none refuse nothing', plain, list(), service, 'Skip'],
  ])('%s', (_name, pod, args, of, expected) => {
    const pods = onNodes('x:foo y:foo');
    expect(verdicts(pod, inZones(), pods, { objects: { services: [of] } }, args)).toBe(expected);
  });
});

describe('after AddPod and RemovePod', () => {
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
    ['one came to an empty domain', spreading([hard('node')]), 'a:foo', '+b:foo', '-+++ --++'],
    ['one came to the last empty domain', spreading([hard('zone')]), 'a:foo', '+x:foo', '--++ ++++'],
    ['one came to a domain that is not the emptiest', spreading([hard('node')]), 'a:foo', '+a:foo', '-+++ -+++'],
    ['one of another namespace came', spreading([hard('node')]), 'a:foo', '+b:foo,other', '-+++ -+++'],
    ['one came that is not selected', spreading([hard('node')]), 'a:foo', '+b:bar', '-+++ -+++'],
    ['one came that counts for two', spreading(both), 'a:foo', '+x:foo', '--++ -+-+'],
    ['one went from the emptiest domain', spreading([hard('zone')]), 'a:foo a:foo x:foo x:foo', '-a:foo', '++++ ++--'],
    ['one went from the fullest', spreading([hard('zone')]), 'a:foo a:foo x:foo', '-a:foo', '--++ ++++'],
    ['one went that does not count', spreading([hard('zone')]), 'a:foo a:bar x:foo', '-a:bar', '++++ ++++'],
    ['one went that counts for two', spreading(both), 'a:foo a:foo b:foo x:foo x:foo', '-x:foo', '---+ ---+'],
    ['all domains changed', spreading([hard('node')]), '', '+a:foo +b:foo +x:foo +y:foo', '++++ ++++'],
    ['all but one changed', spreading([hard('node')]), '', '+a:foo +b:foo +x:foo', '++++ ---+'],
    ['one came and went', spreading([hard('node')]), 'a:foo', '+b:foo -b:foo', '-+++ -+++'],
  ])('%s', (_, pod, pods, changes, expected) => expect(after(pod, pods, changes)).toBe(expected));

  test.each<[string, Pod, string, string]>([
    ['does not count', spreading([hard('node')], affinityTo('foo', 'In', '')), '+y:foo', '++++ ++++'],
    [
      'counts if affinity is ignored',
      spreading([hard('node', { nodeAffinityPolicy: 'Ignore' })], affinityTo('foo', 'In', '')),
      '+y:foo',
      '++++ +++-',
    ],
  ])('one came to a node that %s', (_, pod, changes, expected) => {
    expect(after(pod, '', changes, fooOnAll)).toBe(expected);
  });
});

test('a selector that makes no sense is a fault', () => {
  const constraint = hard('zone', { labelSelector: { matchExpressions: [{ key: 'k', operator: 'Like' }] } });
  expect(aPlugin().preFilter?.(new CycleState(), podInfoOf(spreading([constraint])), [])).toEqual({
    status: {
      code: 'Error',
      reasons: [`obtaining pod's hard topology spread constraints: "Like" is not a valid label selector operator`],
    },
  });
});

test('the status of a node that does not fit', () => {
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
