import { describe, expect, test } from 'vitest';
import { aHandle, aSnapshot } from '../../../testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import type { NodeScore } from '../../interface.ts';
import { podInfoOf } from '../../pod-info-of.ts';
import { interPodAffinityArgs } from './args.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { type AffinePod, type AffinityOf, NAMESPACES, nodes, ofTeam, pod, term } from './testing.ts';

/** The scores of the nodes, in node order. */
function scores(incoming: AffinePod, on: string, pods: AffinePod[], args: unknown = {}): string {
  const snapshot = aSnapshot(
    on === '' ? [] : nodes(on),
    pods.map((one, i) => pod({ name: `p${i}`, ...one })),
  );
  const objects = { namespaces: NAMESPACES };
  const plugin = interPodAffinity(interPodAffinityArgs.parse(args), aHandle({ snapshot, objects }));
  const [state, info] = [new CycleState(), podInfoOf(pod(incoming))];
  const status = plugin.preScore?.(state, info, snapshot.nodes);
  if (status !== undefined) return [status.code, ...status.reasons].join(': ');
  const list = snapshot.nodes.map(
    (node): NodeScore => ({ name: node.name, score: Number(plugin.score?.(state, info, node)) }),
  );
  plugin.normalizeScore?.(state, info, list);
  return list.map(({ score }) => score).join(' ');
}

const S1 = 'security=S1';
const S2 = 'security=S2';
const withS1: AffinityOf = { rather: [[5, term('security in S1 @ region')]] };
const withS2: AffinityOf = { rather: [[6, term('security in S2 @ region')]] };
const awayFromS1: AffinityOf = { ratherApart: [[5, term('security in S1 @ az')]] };
const awayFromS2: AffinityOf = { ratherApart: [[5, term('security in S2 @ az')]] };
const withS1AwayFromS2: AffinityOf = { rather: [[8, term('security in S1 @ region')]], ...awayFromS2 };
const three = 'a:region=China b:region=India c:az=az1';
const five = 'a:region=China b:region=India c:region=China d:region=China e:region=India';

describe('InterPodAffinity: preferences of the pod', () => {
  const mixed: AffinityOf = {
    rather: [
      [8, term('security notin S1 & security in S2 @ region')],
      [2, term('security & !wrong @ region')],
    ],
  };

  test.each<[string, AffinePod, string, AffinePod[], string]>([
    ['without preferences', { labels: S1 }, three, [], 'Skip'],
    [
      'preferred affinity by region',
      { labels: S1, ...withS1 },
      three,
      [
        { node: 'a', labels: S1 },
        { node: 'b', labels: S2 },
        { node: 'c', labels: S1 },
      ],
      '100 0 0',
    ],
    [
      'preferred affinity in the whole region',
      withS1,
      'a:region=China b:region=China,az=az1 c:region=India',
      [{ node: 'a', labels: S1 }],
      '100 100 0',
    ],
    [
      'a higher score for more matching pods',
      { labels: S1, ...withS2 },
      five,
      ['a', 'a', 'b', 'c', 'd', 'e'].map((node) => ({ node, labels: S2 })),
      '100 0 100 100 0',
    ],
    [
      'preferences of different weight',
      { labels: S1, ...mixed },
      three,
      [
        { node: 'a', labels: S1 },
        { node: 'b', labels: S2 },
        { node: 'c', labels: S1 },
      ],
      '20 100 0',
    ],
    [
      'preferred anti-affinity',
      { labels: S1, ...awayFromS1 },
      'a:az=az1 b:region=China',
      [
        { node: 'a', labels: S1 },
        { node: 'b', labels: S2 },
      ],
      '0 100',
    ],
    [
      'preferred anti-affinity without the topology label',
      { labels: S1, ...awayFromS1 },
      'a:az=az1 b:region=China',
      [
        { node: 'a', labels: S1 },
        { node: 'b', labels: S1 },
      ],
      '0 100',
    ],
    [
      'preferred anti-affinity to several pods',
      { labels: S1, ...awayFromS1 },
      'a:az=az1 b:az=az2',
      [
        { node: 'a', labels: S1 },
        { node: 'a', labels: S1 },
        { node: 'b', labels: S1 },
      ],
      '0 100',
    ],
    [
      'preferred affinity and anti-affinity',
      { labels: S1, ...withS1AwayFromS2 },
      'a:region=China b:az=az1',
      [
        { node: 'a', labels: S1 },
        { node: 'b', labels: S1 },
      ],
      '100 0',
    ],
    [
      'preferred affinity to pods like itself',
      { labels: S1, ...withS1AwayFromS2 },
      'a:region=China,az=az1 b:region=India c:region=China d:region=China e:region=India',
      ['a', 'a', 'b', 'c', 'c', 'd', 'e'].map((node) => ({ node, labels: S1 })),
      '100 0 100 100 0',
    ],
    ['an invalid selector', { rather: [[8, term('security in {{.bad.}} @ region')]] }, three, [], 'Error'],
  ])('scores nodes: %s', (_, incoming, on, pods, expected) =>
    expect(scores(incoming, on, pods)).toMatch(new RegExp(`^${expected}($|:)`)),
  );
});

describe('InterPodAffinity: preferences of existing pods', () => {
  const hard: AffinityOf = { near: [term('security in S1,value2 @ region'), term('security & !wrong @ region')] };

  test.each<[string, AffinePod, string, AffinePod[], string]>([
    [
      'preferred affinity to it',
      { labels: S2 },
      three,
      [
        { node: 'a', labels: S1, ...withS1 },
        { node: 'b', labels: S2, ...withS2 },
      ],
      '0 100 0',
    ],
    [
      'preferred and required affinity to it',
      { labels: S1 },
      three,
      [
        { node: 'a', labels: S1, ...hard },
        { node: 'b', labels: S2, ...hard },
      ],
      '100 100 0',
    ],
    [
      'preferred anti-affinity to it',
      { labels: S2 },
      'a:az=az1 b:az=az2',
      [
        { node: 'a', labels: S1, ...awayFromS2 },
        { node: 'b', labels: S2, ...awayFromS1 },
      ],
      '0 100',
    ],
    [
      'preferred anti-affinity on both sides',
      { labels: S1, ...withS1AwayFromS2 },
      'a:region=China b:az=az1 c:region=India d:az=az2',
      [
        { node: 'a', labels: S1 },
        { node: 'b', labels: S2 },
        { node: 'c', ...withS1AwayFromS2 },
        { node: 'd', ...awayFromS1 },
      ],
      '100 0 100 0',
    ],
    [
      'preferred affinity to it on some nodes of a region',
      { labels: S1 },
      'a:region=China b:region=China',
      [
        { node: 'a', labels: S1 },
        { node: 'b', ...withS1AwayFromS2 },
      ],
      '0 0',
    ],
    ['no nodes', { labels: S2 }, '', [], 'Skip'],
  ])('scores nodes: %s', (_, incoming, on, pods, expected) => expect(scores(incoming, on, pods)).toBe(expected));

  const others: AffinePod[] = [
    { node: 'a', labels: S1, ...withS1AwayFromS2 },
    { node: 'b', labels: S2, ...withS2 },
  ];

  test.each<[string, AffinePod, unknown, string]>([
    ['ignored if so configured', { labels: S2 }, { ignorePreferredTermsOfExistingPods: true }, 'Skip'],
    ['counted by default', { labels: S2 }, {}, '0 100'],
    [
      'counted if the pod has preferences of its own',
      { labels: S2, ...withS2 },
      { ignorePreferredTermsOfExistingPods: true },
      '0 100',
    ],
  ])('scores by preferences of existing pods: %s', (_, incoming, args, expected) =>
    expect(scores(incoming, 'a:region=China b:region=India', others, args)).toBe(expected),
  );
});

describe('InterPodAffinity: preferences with namespace selectors', () => {
  const team = (more = {}): AffinityOf['rather'] => [
    [5, term('security in S1 @ region', { ...ofTeam('one'), ...more })],
  ];
  const two = 'a:region=China b:region=India';
  const incoming = { namespace: 't1a', labels: S1 };
  const at = (node: string, namespace: string): AffinePod => ({ node, namespace, labels: S1 });

  test.each<[string, AffinePod, AffinePod[], string]>([
    [
      'of a team',
      { ...incoming, rather: team() ?? [] },
      [at('a', 't1a'), at('a', 't1a'), at('a', 't2a'), at('b', 't1b')],
      '100 0',
    ],
    [
      'of a team and by name',
      { ...incoming, rather: team({ namespaces: ['t2b'] }) ?? [] },
      [at('a', 't1a'), at('a', 't2b'), at('b', 't1b')],
      '100 0',
    ],
    [
      'of a team with anti-affinity',
      { ...incoming, ratherApart: team() ?? [] },
      [at('a', 't1a'), at('a', 't1a'), at('a', 't2a'), at('b', 't1b')],
      '0 100',
    ],
    [
      'of a team in preferences of existing pods',
      incoming,
      [
        { node: 'a', rather: team() ?? [] },
        { node: 'b', ...withS2 },
      ],
      '100 0',
    ],
    [
      'of a team in anti-affinity of existing pods',
      incoming,
      [
        { node: 'a', ratherApart: team() ?? [] },
        { node: 'b', ...withS2 },
      ],
      '0 100',
    ],
  ])('scores by pods in namespaces: %s', (_, pods, on, expected) => expect(scores(pods, two, on)).toBe(expected));
});

describe('InterPodAffinity: required affinity of existing pods', () => {
  const required: AffinityOf = {
    near: [term('service in S1 @ region', { namespaces: ['default', 't2b'], ...ofTeam('one') })],
  };
  const others: AffinePod[] = [
    { node: 'a', ...required },
    { node: 'b', ...required },
  ];

  test.each<[string, AffinePod, number | undefined, string]>([
    ['counted by default', {}, undefined, '100 100 0'],
    ['ignored with weight 0', {}, 0, 'Skip'],
    ['ignored in another namespace', { namespace: 't2a' }, undefined, 'Skip'],
    ['counted in a namespace of the team', { namespace: 't1a' }, undefined, '100 100 0'],
    ['counted in a named namespace', { namespace: 't2b' }, undefined, '100 100 0'],
  ])('scores by required affinity: %s', (_, incoming, hardPodAffinityWeight, expected) => {
    expect(scores({ labels: 'service=S1', ...incoming }, three, others, { hardPodAffinityWeight })).toBe(expected);
  });
});
