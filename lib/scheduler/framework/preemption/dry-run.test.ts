import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { PodDisruptionBudget } from '#lib/api/types/policy.v1.ts';
import { aNode } from '../../testing/wrappers.ts';
import type { Handle, Plugin } from '../interface.ts';
import { interPodAffinityArgs } from '../plugins/interpodaffinity/args.ts';
import { interPodAffinity } from '../plugins/interpodaffinity/inter-pod-affinity.ts';
import { affinity, term } from '../plugins/interpodaffinity/testing.ts';
import { podTopologySpreadArgs } from '../plugins/podtopologyspread/args.ts';
import { podTopologySpread } from '../plugins/podtopologyspread/pod-topology-spread.ts';
import { hard } from '../plugins/podtopologyspread/testing.ts';
import { podInfoOf } from '../pod-info-of.ts';
import { newStatus, type Status } from '../status.ts';
import { budgetOf } from './budget.ts';
import { dryRun, faultOf, type Search } from './dry-run.ts';
import { aBudget, aWorld, names, nodes, pod, type WorldOf } from './testing.ts';

const ALL: Search = { offset: 0, candidates: 100 };

function tried(incoming: Pod, of: WorldOf, search = ALL) {
  const { handle, stateOf } = aWorld(of);
  const info = podInfoOf(incoming);
  const budgets = (of.pdbs ?? []).map(budgetOf);
  return dryRun(handle, { state: stateOf(info), pod: info, budgets }, handle.snapshot().nodes, search);
}

/** Formats candidates: `a: p1 p2 (1), b: p3` shows the victims on two nodes with the number of violated budgets. */
function candidates(...given: Parameters<typeof tried>): string {
  const shown = [...tried(...given).candidates].map(
    ([name, { pods, pdbViolations }]) => `${name}: ${names(pods)}${pdbViolations > 0 ? ` (${pdbViolations})` : ''}`,
  );
  return shown.join(', ');
}

describe('victims of dryRun', () => {
  test.each<[string, string, string[], string]>([
    ['pods that take the room', 'p 9 l', ['p1@a 5 l', 'p2@b 5 l'], 'a: p1, b: p2'],
    ['no pod of higher priority', 'p 1 l', ['p1@a 5 l', 'p2@b 5 l'], ''],
    ['no pod of equal priority', 'p 5 l', ['p1@a 5 l', 'p2@b 5 l'], ''],
    ['no pod if the incoming one fits anyway', 'p 9 s', ['p1@a 5 s', 'p2@b 5 s'], ''],
    ['no small pod of even lower priority', 'p 9 l', ['p1@a 1 s', 'p2@a 5 l', 'p3@b 5 l'], 'a: p2, b: p3'],
    [
      'several pods of different priority',
      'p 9 l',
      ['p1@a 5 s', 'p2@a 1 s', 'p3@a 5 m', 'p4@a 9 s', 'p5@b 9 l'],
      'a: p3 p2',
    ],
    [
      'the youngest pods of equal priority',
      'p 9 l',
      ['p1@a 1 s #5', 'p2@a 1 s #4', 'p3@a 5 m #3', 'p4@a 9 s #2', 'p5@b 9 l #1'],
      'a: p3 p1',
    ],
    ['a pod that has not started', 'p 9 l', ['p1@a 1 l', 'p2@a 1 m #1'], 'a: p1'],
  ])('selects as victims %s', (_, incoming, pods, expected) => {
    expect(candidates(pod(incoming), { nodes: nodes('a b'), pods: pods.map((one) => pod(one)) })).toBe(expected);
  });

  test('selects a pod whose anti-affinity rejects the incoming one', () => {
    const keepsOff = { labels: { foo: '' }, spec: affinity({ apart: [term('foo @ host')] }) };
    const pods = [pod('p1@a 1 s', keepsOff), pod('p2@a 5 s'), pod('p3@a 9 s'), pod('p4@b 9 s')];
    const plugins = [(handle: Handle): Plugin => interPodAffinity(interPodAffinityArgs.parse({}), handle)];
    expect(candidates(pod('p 9 s', { labels: { foo: '' } }), { nodes: nodes('a b'), pods, plugins })).toBe('a: p1');
  });

  test('selects pods that violate the spread', () => {
    const foo = { labels: { foo: '' } };
    const spread = { spec: { topologySpreadConstraints: [hard('zone'), hard('host')] }, ...foo };
    const pods = ['a1@a 5', 'a2@a 1', 'b1@b 1', 'x1@x 9', 'x2@x 9'].map((one) => pod(one, foo));
    const plugins = [(handle: Handle): Plugin => podTopologySpread(podTopologySpreadArgs.parse({}), handle)];
    const inZones = ['a', 'b', 'x'].map((name) =>
      aNode({ name, labels: { host: name, zone: name < 'm' ? 'one' : 'two' }, capacity: { pods: '99' } }),
    );
    expect(candidates(pod('p 9', spread), { nodes: inZones, pods, plugins })).toBe('a: a2, b: b1');
  });
});

describe('dryRun: disruption budgets', () => {
  const app = { labels: { app: '' } };
  const two = ['p1@a 5 m', 'p2@a 5 m'].map((one) => pod(one, app));

  test.each<[string, Pod[], PodDisruptionBudget[], string]>([
    ['one of two disruptions allowed', two, [aBudget('app', 1)], 'a: p2 p1 (1)'],
    ['another pod already disrupted', two, [aBudget('app', 1, ['p9'])], 'a: p2 p1 (1)'],
    ['one of the victims already disrupted', two, [aBudget('app', 1, ['p2'])], 'a: p1 p2'],
    [
      'one of three victims already disrupted',
      [...two, pod('p3@a 5 m', app)],
      [aBudget('app', 1, ['p3'])],
      'a: p2 p1 p3 (1)',
    ],
    ['for other pods', two, [aBudget('other', 0)], 'a: p1 p2'],
    ['in another namespace', two, [{ ...aBudget('app', 0), metadata: { name: 'b', namespace: 'other' } }], 'a: p1 p2'],
    ['with an empty selector', two, [{ ...aBudget('app', 0), spec: { selector: {} } }], 'a: p1 p2'],
    ['without a selector', two, [{ ...aBudget('app', 0), spec: {} }], 'a: p1 p2'],
    [
      'two budgets for one pod',
      [pod('p1@a 5 xl', app)],
      [aBudget('app', 0), { ...aBudget('app', 1), metadata: { name: 'c', namespace: 'default' } }],
      'a: p1 (1)',
    ],
  ])('counts violations of a budget: %s', (_, pods, pdbs, expected) => {
    expect(candidates(pod('p 9 xl'), { nodes: nodes('a'), pods, pdbs })).toBe(expected);
  });

  test('prefers a more important victim without a violation', () => {
    const pods = [pod('p1@a 5 m'), pod('p2@a 1 m', app)];
    expect(candidates(pod('p 9 l'), { nodes: nodes('a'), pods, pdbs: [aBudget('app', 0)] })).toBe('a: p1');
  });
});

describe('dryRun: the number of nodes tried', () => {
  const five = (priorities: string): Pod[] =>
    [...priorities].map((priority, i) =>
      pod(`p${i}@${'abcde'.charAt(i)} ${priority} l`, i === 4 ? {} : { labels: { app: '' } }),
    );

  test.each<[string, string, Search, PodDisruptionBudget[], string]>([
    ['as many as requested', '55555', { offset: 0, candidates: 2 }, [], 'a: p0, b: p1'],
    ['from an offset, wrapping around', '55555', { offset: 4, candidates: 2 }, [], 'e: p4, a: p0'],
    ['further nodes if some are not candidates', '59559', { offset: 4, candidates: 2 }, [], 'a: p0, c: p2'],
    [
      'further nodes until one violates no budget, which comes first',
      '55555',
      { offset: 0, candidates: 2 },
      [aBudget('app', 0)],
      'e: p4, a: p0 (1), b: p1 (1)',
    ],
  ])('returns candidates: %s', (_, priorities, search, pdbs, expected) => {
    expect(candidates(pod('p 8 l'), { nodes: nodes('a b c d e'), pods: five(priorities), pdbs }, search)).toBe(
      expected,
    );
  });
});

test('reports a status for each node without victims', () => {
  const failing = (): Plugin => ({
    name: 'Failing',
    preFilterExtensions: {
      addPod: () => undefined,
      removePod: (_state, _pod, _removed, node) => (node.name === 'e' ? newStatus('Error', 'no remove') : undefined),
    },
    filter: (_state, _pod, node) =>
      node.name === 'd' ? newStatus('UnschedulableAndUnresolvable', 'not here') : undefined,
  });
  const pods = ['p1@a 9 l', 'p2@b 1 s', 'p3@c 1 s', 'p4@d 1 l', 'p5@e 1 l', 'p6@c 9 l'].map((one) => pod(one));
  const { refused } = tried(pod('p 9 l'), { nodes: nodes('a b c d e'), pods, plugins: [failing] });
  const said = [...refused].map(([name, { code, reasons }]: [string, Status]) => [name, code, reasons.join()]);
  expect(said).toEqual([
    ['a', 'UnschedulableAndUnresolvable', 'No preemption victims found for incoming pod'],
    ['b', 'Error', 'expected at least one victim pod on node "b"'],
    ['c', 'Unschedulable', 'Insufficient cpu'],
    ['d', 'UnschedulableAndUnresolvable', 'not here'],
    ['e', 'Error', 'no remove'],
  ]);
  expect(faultOf(refused)?.reasons).toEqual(['expected at least one victim pod on node "b", no remove']);
});

test('leaves nodes and state unchanged', () => {
  const { handle, stateOf } = aWorld({ nodes: nodes('a'), pods: [pod('p1@a 1 l')] });
  const [node] = handle.snapshot().nodes;
  const [info, before] = [podInfoOf(pod('p 9 l')), node?.generation];
  dryRun(handle, { state: stateOf(info), pod: info, budgets: [] }, handle.snapshot().nodes, ALL);
  expect([node?.generation, [...(node?.pods.keys() ?? [])]]).toEqual([before, ['p1']]);
});
