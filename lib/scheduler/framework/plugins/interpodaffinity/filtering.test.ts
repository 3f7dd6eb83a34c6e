import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { Cache } from '../../../backend/cache/cache.ts';
import { aHandle, aSnapshot } from '../../../testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import { podInfoOf } from '../../pod-info-of.ts';
import type { Status } from '../../status.ts';
import { interPodAffinityArgs } from './args.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { type AffinePod, NAMESPACES, nodes, ofTeam, pod, term } from './testing.ts';

const SAID = new Map<string | undefined, string>([
  [undefined, '+'],
  ["UnschedulableAndUnresolvable: node(s) didn't match pod affinity rules", 'near'],
  ["Unschedulable: node(s) didn't match pod anti-affinity rules", 'apart'],
  ["Unschedulable: node(s) didn't satisfy existing pods anti-affinity rules", 'existing'],
]);
const said = (status: Status | undefined): string =>
  SAID.get(status && `${status.code}: ${status.reasons.join()}`) ?? `? ${status?.reasons.join()}`;

function setUp(incoming: AffinePod, on: string, pods: AffinePod[]) {
  const snapshot = aSnapshot(nodes(on), pods.map(pod));
  const objects = { namespaces: NAMESPACES };
  const plugin = interPodAffinity(interPodAffinityArgs.parse({}), aHandle({ snapshot, objects }));
  const [state, info] = [new CycleState(), podInfoOf(pod(incoming))];
  const { status } = plugin.preFilter?.(state, info, snapshot.nodes) ?? {};
  const verdictsIn = (tried: CycleState): string =>
    snapshot.nodes.map((node) => said(plugin.filter?.(tried, info, node))).join(' ');
  return { snapshot, plugin, state, info, status, verdictsIn };
}

/** The verdict on each node: `+` if it passes, otherwise the rule that rejects it. */
function verdicts(incoming: AffinePod, on: string, pods: AffinePod[]): string {
  const { status, state, verdictsIn } = setUp(incoming, on, pods);
  return status?.code ?? verdictsIn(state);
}

const SCAN = 'service=scan';
const S1 = 'security=S1';

describe('InterPodAffinity: filter on one node', () => {
  const near = term('service in scan,value2 @ region');
  const apart = (key: string, values = 'scan,value2'): JsonObject => term(`service in ${values} @ ${key}`);
  const scan: AffinePod = { node: 'a', labels: SCAN };

  test.each<[string, AffinePod, AffinePod[], string]>([
    ['without terms', {}, [], 'Skip'],
    ['affinity to a pod on the node', { labels: S1, near: [near] }, [scan], '+'],
    ['affinity with NotIn', { labels: S1, near: [term('service notin x,y @ region')] }, [scan], '+'],
    [
      'affinity to a pod in another namespace',
      { labels: S1, near: [{ ...near, namespaces: ['other'] }] },
      [scan],
      'near',
    ],
    ['affinity to a missing pod', { labels: SCAN, near: [term('service in virus @ region')] }, [scan], 'near'],
    [
      'affinity with several terms',
      { labels: S1, near: [term('service & !wrong @ region'), term('service in scan & service notin x @ region')] },
      [scan],
      '+',
    ],
    [
      'affinity with several terms of which one matches no pod',
      { labels: S1, near: [term('service & !wrong @ region'), term('service in scan2 @ region')] },
      [scan],
      'near',
    ],
    [
      'affinity and anti-affinity to different pods',
      { labels: S1, near: [near], apart: [apart('node', 'virus')] },
      [scan],
      '+',
    ],
    [
      'affinity and anti-affinity, also of the existing pod',
      { labels: S1, near: [near], apart: [apart('node', 'virus')] },
      [{ ...scan, apart: [apart('node', 'virus')] }],
      '+',
    ],
    [
      'affinity and anti-affinity to the same pod',
      { labels: S1, near: [near], apart: [apart('zone')] },
      [scan],
      'apart',
    ],
    [
      'affinity to a pod with anti-affinity to it',
      { labels: SCAN, near: [near], apart: [apart('node', 'virus')] },
      [{ ...scan, apart: [apart('zone')] }],
      'existing',
    ],
    [
      'affinity to pods unlike itself',
      { labels: SCAN, near: [term('service notin scan,value2 @ region')] },
      [{ labels: SCAN, node: 'b' }],
      'near',
    ],
    [
      'without terms, against the anti-affinity of an existing pod',
      { labels: SCAN },
      [{ ...scan, apart: [apart('zone')] }],
      'existing',
    ],
    [
      'without terms, next to a pod with anti-affinity to others',
      { labels: SCAN },
      [{ ...scan, apart: [term('service notin scan,value2 @ zone')] }],
      'Skip',
    ],
    [
      'anti-affinity with one of two terms',
      { labels: SCAN, apart: [term('service @ region'), term('security @ region')] },
      [{ node: 'a', labels: S1, apart: [term('security @ zone')] }],
      'apart',
    ],
    [
      'against the anti-affinity of an existing pod only',
      { labels: S1, apart: [term('security @ zone')] },
      [{ ...scan, apart: [term('service @ zone'), term('security @ zone')] }],
      'existing',
    ],
    [
      'against anti-affinity in part on both sides',
      { labels: 'abc,xyz', apart: [term('abc @ zone'), term('def @ zone')] },
      [{ node: 'a', labels: 'def,xyz', apart: [term('abc @ zone'), term('def @ zone')] }],
      'apart',
    ],
  ])('checks a pod: %s', (_, incoming, pods, expected) => {
    expect(verdicts(incoming, 'a:region=r1,zone=z11', pods)).toBe(expected);
  });

  const one = 'service in scan @ region';
  test.each<[string, AffinePod, AffinePod[], string]>([
    ['affinity in namespaces of a team', { near: [term(one, ofTeam('one'))] }, [{ ...scan, namespace: 't1a' }], '+'],
    [
      'affinity in namespaces of another team',
      { near: [term(one, ofTeam('one'))] },
      [{ ...scan, namespace: 't2a' }],
      'near',
    ],
    [
      'anti-affinity in namespaces of a team',
      { namespace: 't1a', apart: [term(one, ofTeam('one'))] },
      [{ ...scan, namespace: 't1b' }],
      'apart',
    ],
    [
      'anti-affinity in all namespaces',
      { namespace: 't1a', apart: [term(one, { namespaceSelector: {} })] },
      [{ ...scan, namespace: 't2b' }],
      'apart',
    ],
    [
      'anti-affinity in namespaces of another team',
      { namespace: 't1a', apart: [term(one, ofTeam('one'))] },
      [{ ...scan, namespace: 't2a' }],
      '+',
    ],
    [
      'existing anti-affinity to the pod’s team',
      { namespace: 't1a', labels: SCAN },
      [{ ...scan, namespace: 't2a', apart: [term(one, ofTeam('one'))] }],
      'existing',
    ],
    [
      'existing anti-affinity to another team',
      { namespace: 't2b', labels: SCAN },
      [{ ...scan, namespace: 't2a', apart: [term(one, ofTeam('one'))] }],
      'Skip',
    ],
    [
      'existing anti-affinity to all namespaces',
      { namespace: 'unknown', labels: SCAN },
      [{ ...scan, apart: [term(one, { namespaceSelector: {} })] }],
      'existing',
    ],
  ])('checks a pod with a namespace selector: %s', (_, incoming, pods, expected) =>
    expect(verdicts(incoming, 'a:region=r1', pods)).toBe(expected),
  );
});

describe('InterPodAffinity: filter on several nodes', () => {
  const world = 'a:region=China b:region=China,az=az1 c:region=India';
  const zones = 'a:region=r1,zone=z1,host=a b:region=r1,zone=z2,host=b';
  const both = { labels: 'foo,bar' };

  test.each<[string, AffinePod, string, AffinePod[], string]>([
    [
      'affinity to a pod in the region',
      { near: [term('foo in bar @ region')] },
      world,
      [{ node: 'a', labels: 'foo=bar' }],
      '+ + near',
    ],
    [
      'the first pod of a group with affinity to itself',
      { labels: 'foo=bar,s=x', near: [term('foo in bar @ zone'), term('s in x @ zone')] },
      zones,
      [{ node: 'a', labels: 'foo=bar' }],
      '+ +',
    ],
    [
      'the first pod of such a group without the topology label',
      { labels: 'foo=bar,s=x', near: [term('foo in bar @ rack'), term('s in x @ rack')] },
      zones,
      [{ node: 'a', labels: 'foo=bar' }],
      'near near',
    ],
    [
      'the second pod of such a group',
      { labels: 'foo=bar', near: [term('foo in bar @ zone')] },
      zones,
      [{ node: 'a', labels: 'foo=bar' }],
      '+ near',
    ],
    [
      'affinity terms matched only by different pods',
      { near: [term('foo @ region'), term('bar @ zone')] },
      zones,
      [
        { node: 'a', labels: 'foo' },
        { node: 'b', labels: 'bar' },
      ],
      'near near',
    ],
    [
      'affinity by region and zone',
      { near: [term('foo @ region'), term('bar @ zone')] },
      'a:region=r1,zone=z1 b:region=r1,zone=z1',
      [{ node: 'a', labels: 'foo,bar' }],
      '+ +',
    ],
    [
      'anti-affinity to a pod in the region',
      { apart: [term('foo in abc @ region')] },
      world,
      [{ node: 'a', labels: 'foo=abc' }],
      'apart apart +',
    ],
    [
      'anti-affinity by either term',
      { apart: [term('foo in abc @ region'), term('s in x @ zone')] },
      zones,
      [{ node: 'a', labels: 'foo=abc,s=x' }],
      'apart apart',
    ],
    [
      'anti-affinity to a different pod for each term',
      { apart: [term('foo @ zone'), term('bar @ region')] },
      zones,
      [
        { node: 'a', labels: 'foo' },
        { node: 'b', labels: 'bar' },
      ],
      'apart apart',
    ],
    [
      'anti-affinity, with pods of other namespaces ignored',
      { namespace: 'n1', labels: 'foo=1', apart: [term('foo in bar @ region')] },
      world,
      [
        { namespace: 'n1', node: 'a', labels: 'foo=bar' },
        { namespace: 'n2', node: 'c', apart: [term('foo in 1 @ region')] },
      ],
      'apart apart +',
    ],
    [
      'anti-affinity without the topology label',
      { apart: [term('foo @ rack')] },
      zones,
      [{ node: 'a', labels: 'foo' }],
      '+ +',
    ],
    [
      'anti-affinity with one of two topology labels',
      { apart: [term('foo @ rack'), term('bar @ zone')] },
      zones,
      [{ node: 'a', labels: 'foo,bar' }],
      'apart +',
    ],
    [
      'existing anti-affinity without the topology label',
      both,
      zones,
      [{ node: 'a', apart: [term('foo @ rack')] }],
      'Skip',
    ],
    [
      'existing anti-affinity with one of two topology labels',
      both,
      zones,
      [{ node: 'a', apart: [term('foo @ rack'), term('bar @ zone')] }],
      'existing +',
    ],
    [
      'anti-affinity of two existing pods',
      both,
      zones,
      [
        { name: 'q', node: 'a', apart: [term('foo @ zone')] },
        { node: 'a', apart: [term('bar @ region')] },
      ],
      'existing existing',
    ],
    [
      'anti-affinity of one existing pod for each term',
      both,
      `${zones} c:region=r1,zone=z3`,
      [
        { node: 'a', apart: [term('foo @ zone'), term('x @ zone')] },
        { node: 'b', apart: [term('bar @ zone'), term('y @ zone')] },
      ],
      'existing existing +',
    ],
  ])('checks a pod: %s', (_, incoming, on, pods, expected) => expect(verdicts(incoming, on, pods)).toBe(expected));
});

describe('InterPodAffinity: AddPod and RemovePod', () => {
  const zones = 'a:region=r1,zone=z11 b:region=r1,zone=z12 c:region=r2,zone=z21';
  const complex = [term('foo in bar,buzz @ region'), term('service notin bar,test @ zone')];
  const keepsOff = [term('foo in bar @ region')];

  /** The verdicts before, with one more pod, and after removing it again. */
  function tried(incoming: AffinePod, pods: AffinePod[], added: AffinePod): string[] {
    const { plugin, state, info, snapshot, verdictsIn } = setUp(incoming, zones, pods);
    const [copy, other, node] = [state.clone(), podInfoOf(pod(added)), snapshot.get(added.node ?? '')];
    if (node === undefined) throw new Error(`no node ${added.node}`);
    const before = verdictsIn(copy);
    plugin.preFilterExtensions?.addPod(copy, info, other, node);
    const added1 = verdictsIn(copy);
    plugin.preFilterExtensions?.removePod(copy, info, other, node);
    expect([verdictsIn(copy), verdictsIn(state)]).toEqual([before, before]);
    expect(added1).toBe(verdicts(incoming, zones, [...pods, { name: 'added', ...added }]));
    return [before, added1];
  }

  test.each<[string, AffinePod, AffinePod[], AffinePod, string[]]>([
    [
      'added a pod that matches its anti-affinity',
      { labels: 'foo=bar', apart: keepsOff },
      [{ node: 'c', apart: keepsOff }],
      { node: 'b', labels: 'foo=bar', apart: keepsOff },
      ['+ + existing', 'apart apart existing'],
    ],
    [
      'added a pod that matches two terms',
      { labels: 'foo=bar', apart: complex },
      [{ node: 'c', apart: keepsOff }],
      { node: 'a', labels: 'foo=bar', apart: complex },
      ['+ + apart', 'apart apart apart'],
    ],
    [
      'added a pod that matches its affinity',
      { labels: 'x', near: complex },
      [{ node: 'c', labels: 'service=a' }],
      { node: 'a', labels: 'foo=bar' },
      ['near near near', '+ near near'],
    ],
    [
      'added the first pod of its group',
      { labels: 'foo=bar', near: keepsOff },
      [],
      { node: 'a', labels: 'foo=bar' },
      ['+ + +', '+ + near'],
    ],
    [
      'added a pod with anti-affinity to it',
      { labels: 'foo=bar', near: [term('foo @ region')] },
      [],
      { node: 'c', apart: keepsOff, labels: 'foo' },
      ['+ + +', 'near near existing'],
    ],
  ])('updates the verdicts: %s', (_, incoming, pods, added, expected) =>
    expect(tried(incoming, pods, added)).toEqual(expected),
  );

  test('satisfies the affinity of a pod that matches itself when the last other match is removed', () => {
    const { plugin, state, info, snapshot, verdictsIn } = setUp({ labels: 'foo=bar', near: keepsOff }, zones, [
      { node: 'a', labels: 'foo=bar' },
    ]);
    const [node] = snapshot.nodes;
    const [first] = node?.pods.values() ?? [];
    if (node === undefined || first === undefined) throw new Error('one pod');
    expect(verdictsIn(state)).toBe('+ + near');
    plugin.preFilterExtensions?.removePod(state, info, first, node);
    expect(verdictsIn(state)).toBe('+ + +');
  });
});

test('rejects a pod with an invalid selector', () => {
  const { status } = setUp({ near: [term('service in {{.bad.}} @ region')] }, 'a', []);
  expect(status?.code).toBe('UnschedulableAndUnresolvable');
  expect(status?.reasons.join()).toMatch(
    /^parsing pod: requiredAffinityTerms: values\[0\]\[service\]: Invalid value: "{{.bad.}}"/,
  );
});

test('keeps the counts correct between attempts, whatever changes in between', () => {
  const cache = new Cache();
  for (const node of nodes('a:zone=z1 b:zone=z2')) cache.setNode(node);
  const handle = { ...aHandle(), snapshot: () => cache.takeSnapshot() };
  const plugin = interPodAffinity(interPodAffinityArgs.parse({}), handle);
  const info = podInfoOf(pod({ labels: 'foo', apart: [term('foo @ zone')] }));
  const attempt = (): string => {
    const state = new CycleState();
    const world = handle.snapshot();
    plugin.preFilter?.(state, info, world.nodes);
    return world.nodes.map((node) => said(plugin.filter?.(state, info, node))).join(' ');
  };
  const came = podInfoOf(pod({ name: 'q', labels: 'foo', node: 'b' }));
  expect(attempt()).toBe('+ +');
  cache.setPod(came, 'b');
  expect(attempt()).toBe('+ apart');
  cache.removePod(came.uid);
  cache.setPod(podInfoOf(pod({ name: 'r', node: 'a', apart: [term('foo @ zone')] })), 'a');
  expect(attempt()).toBe('existing +');
  expect(handle.snapshot().nodes.map((node) => nameOf(node.node))).toEqual(['a', 'b']);
});
