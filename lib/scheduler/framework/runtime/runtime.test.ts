import { describe, expect, test } from 'vitest';
import { finished, type Steps } from '#lib/machinery/steps.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aNodeInfo, aPodInfo } from '../../testing/wrappers.ts';
import { CycleState } from '../cycle-state.ts';
import type { PreFiltered } from '../interface.ts';
import { newStatus, type Outcome, SKIP } from '../status.ts';
import { runBindPlugins, runPreBindPreFlights } from './bind.ts';
import { runFilterPlugins, runFilterPluginsWithNominatedPods } from './filter.ts';
import { runPermitPlugins } from './permit.ts';
import { runPostFilterPlugins } from './post-filter.ts';
import { runPreFilterPlugins } from './pre-filter.ts';
import { runReservePlugins, runUnreserve } from './reserve.ts';
import { runPreScorePlugins, runScorePlugins } from './score.ts';
import { WaitingPods } from './waiting-pods.ts';

const pod = aPodInfo();
const node = aNodeInfo({ name: 'n1' });
const placed = { state: new CycleState(), pod, nodeName: 'n1' };
const no = newStatus('Unschedulable', 'no');
const never = newStatus('UnschedulableAndUnresolvable', 'never');
const boom = (): never => {
  throw new Error('boom');
};

describe('the framework: PreFilter', () => {
  const naming = (...names: string[]): PreFiltered => ({ result: { nodeNames: new Set(names) } });
  const run = (...steps: (() => PreFiltered)[]) => {
    const state = new CycleState();
    const plugins = steps.map((preFilter, i) => ({ name: `P${i}`, preFilter }));
    const { result, status, plugins: by } = runPreFilterPlugins(plugins, state, pod, [node]);
    return { nodes: result && [...result.nodeNames], status, by, skipped: [...state.skipFilter] };
  };

  test.each<[string, (() => PreFiltered)[], object]>([
    ['no result means all nodes', [() => ({})], { nodes: undefined, status: undefined, by: [] }],
    ['the nodes of all plugins are intersected', [() => naming('a', 'b'), () => naming('b', 'c')], { nodes: ['b'] }],
    [
      'an empty intersection names its plugins',
      [() => naming('a'), () => naming('b')],
      {
        status: newStatus('UnschedulableAndUnresolvable', "node(s) didn't satisfy plugin(s) [P0 P1] simultaneously"),
      },
    ],
    [
      'an empty set of one plugin names that plugin',
      [() => naming()],
      { status: newStatus('UnschedulableAndUnresolvable', "node(s) didn't satisfy plugin P0") },
    ],
    ['Skip omits the plugin from Filter', [() => ({ status: SKIP }), () => ({})], { skipped: ['P0'] }],
    [
      'a refusal that preemption may resolve continues with the other plugins',
      [() => ({ status: no }), boom],
      { status: { code: 'Error' } },
    ],
    [
      'a refusal that preemption cannot resolve ends the run',
      [() => ({ status: never }), boom],
      { status: { ...never, plugin: 'P0' } },
    ],
    ['an error names its plugin', [boom], { status: { reasons: ['running PreFilter plugin "P0": boom'] } }],
  ])('combines the results of plugins: %s', (_, steps, expected) => expect(run(...steps)).toMatchObject(expected));
});

describe('the framework: Filter', () => {
  const filter = (name: string, outcome: () => Outcome) => ({ name, filter: outcome });

  test('ends with the first refusal and names its plugin', () => {
    const plugins = [filter('A', () => undefined), filter('B', () => no), filter('C', boom)];
    expect(finished(runFilterPlugins(plugins, new CycleState(), pod, node))).toEqual({ ...no, plugin: 'B' });
  });

  test('omits plugins that PreFilter skipped', () => {
    const state = new CycleState();
    state.skipFilter.add('A');
    expect(finished(runFilterPlugins([filter('A', boom)], state, pod, node))).toBeUndefined();
  });

  test('reports errors and invalid statuses of plugins', () => {
    const run = (outcome: () => Outcome) =>
      finished(runFilterPlugins([filter('A', outcome)], new CycleState(), pod, node));
    expect(run(boom)).toMatchObject({ code: 'Error', reasons: ['running "A" filter plugin: boom'] });
    expect(run(() => SKIP)).toMatchObject({ code: 'Error' });
  });

  test('pauses when a plugin does, and reports an error after a pause', () => {
    const slow = {
      ...filter('A', boom),
      *filterSteps(): Steps<Outcome> {
        yield;
        yield;
        return boom();
      },
    };
    const steps = runFilterPlugins([slow], new CycleState(), pod, node);
    expect([steps.next().done, steps.next().done]).toEqual([false, false]);
    expect(steps.next().value).toMatchObject({ code: 'Error', reasons: ['running "A" filter plugin: boom'] });
  });

  test.each([
    ['more important', { priority: 5 }, ['pod,vip', 'pod']],
    ['less important', { priority: -1 }, ['pod']],
    ['the pod itself', { uid: 'pod' }, ['pod']],
  ])('filters with a nominated pod that is %s', (_, of, expected) => {
    const seen: string[] = [];
    const looks = {
      name: 'A',
      filter(_state: unknown, _pod: unknown, on: typeof node): undefined {
        seen.push(['pod', ...on.pods.keys()].join(','));
      },
    };
    const other = aPodInfo({ name: 'vip', ...of });
    const points = { preFilter: [], filter: [looks] };
    finished(runFilterPluginsWithNominatedPods(points, [other], { state: new CycleState(), pod, node }));
    expect(seen).toEqual(expected);
    expect(node.pods.size).toBe(0);
  });
});

describe('the framework: PostFilter', () => {
  const post = (name: string, answer: { result?: { nominatedNodeName: string }; status?: typeof no }) => ({
    name,
    postFilter: async () => answer,
  });
  const run = (...plugins: ReturnType<typeof post>[]) =>
    runPostFilterPlugins(plugins, new CycleState(), pod, new Map());

  test('ends with the first success', async () => {
    const found = { result: { nominatedNodeName: 'n1' } };
    expect(await run(post('A', { status: no }), post('B', found), post('C', { status: never }))).toEqual(found);
  });

  test('collects all reasons under the name of the first plugin', async () => {
    const { status } = await run(post('A', { status: no }), post('B', { status: newStatus('Unschedulable', 'nor I') }));
    expect(status).toEqual({ code: 'Unschedulable', reasons: ['no', 'nor I'], plugin: 'A' });
  });

  test('ends with a status that preemption cannot resolve', async () => {
    expect(await run(post('A', { status: never }), post('B', {}))).toEqual({ status: { ...never, plugin: 'A' } });
  });
});

describe('the framework: Score', () => {
  const nodes = [node, aNodeInfo({ name: 'n2' })];
  const scored = () => ({ state: new CycleState(), pod, nodes });
  const by = (name: string, ...scores: number[]) => ({
    name,
    score: (_: unknown, __: unknown, on: typeof node) => scores[nodes.indexOf(on)] ?? 0,
  });

  test('returns the weighted sum of scores', () => {
    const { totals, status } = runScorePlugins([by('A', 10, 20), by('B', 100, 0)], new Map([['A', 3]]), scored());
    expect(status).toBeUndefined();
    expect(totals).toEqual([
      { name: 'n1', score: 130 },
      { name: 'n2', score: 60 },
    ]);
  });

  test('normalizes the scores first', () => {
    const halves = {
      ...by('A', 200, 100),
      normalizeScore: (_: unknown, __: unknown, scores: { score: number }[]) => {
        for (const one of scores) one.score /= 2;
        return undefined;
      },
    };
    expect(runScorePlugins([halves], new Map(), scored()).totals.map(({ score }) => score)).toEqual([100, 50]);
  });

  test('omits plugins that PreScore skipped', () => {
    const given = scored();
    runPreScorePlugins([{ name: 'A', preScore: () => SKIP }], given);
    expect(runScorePlugins([by('A', 10, 20)], new Map(), given).totals.map(({ score }) => score)).toEqual([0, 0]);
  });

  test.each([
    [
      'out of range',
      by('A', 101, 0),
      'plugin "A" returns an invalid score 101, it should in the range of [0, 100] after normalizing',
    ],
    ['an error', { name: 'A', score: boom }, 'running Score plugins: plugin "A" failed with: boom'],
  ])('reports a score that is %s', (_, plugin, message) => {
    expect(runScorePlugins([plugin], new Map(), scored()).status?.reasons[0]).toContain(message);
  });
});

test('unreserves in reverse order', () => {
  const seen: string[] = [];
  const reserving = (name: string, outcome: Outcome) => ({
    name,
    reserve: () => outcome,
    unreserve: () => void seen.push(name),
  });
  const plugins = [reserving('A', undefined), reserving('B', no)];
  expect(runReservePlugins(plugins, placed)).toEqual({ ...no, plugin: 'B' });
  runUnreserve(plugins, placed);
  expect(seen).toEqual(['B', 'A']);
});

describe('the framework: Permit', () => {
  const wait = (name: string, timeout: number) => ({ name, permit: () => ({ status: newStatus('Wait'), timeout }) });

  test('waits for all plugins, for at most 15 minutes', () => {
    const { status, waits } = runPermitPlugins([wait('A', 5), wait('B', 1e9)], placed);
    expect([status?.code, ...waits]).toEqual(['Wait', ['A', 5], ['B', 900_000]]);
  });

  test('does not wait if a plugin refuses', () => {
    const refusing = { name: 'B', permit: () => ({ status: no }) };
    const { status, waits } = runPermitPlugins([wait('A', 5), refusing], placed);
    expect([status, waits.size]).toEqual([{ ...no, plugin: 'B' }, 0]);
  });

  test.each<[string, (waiting: WaitingPods, clock: ManualClock) => void, object | undefined]>([
    [
      'allowed by all',
      (waiting) => {
        waiting.allow('pod', 'A');
        waiting.allow('pod', 'B');
      },
      undefined,
    ],
    ['refused by one', (waiting) => void waiting.reject('pod', 'A', 'no'), { ...no, plugin: 'A' }],
    [
      'preempted',
      (waiting) => void waiting.preempt('pod', 'A', 'preempted'),
      { code: 'Error', reasons: ['preempted'] },
    ],
    [
      'out of time',
      (waiting, clock) => {
        waiting.allow('pod', 'B');
        clock.advance(5000);
      },
      { reasons: ['rejected due to timeout after waiting 5s at plugin A'] },
    ],
  ])('lets a pod wait until it is %s', async (_, act, expected) => {
    const clock = new ManualClock();
    const waiting = new WaitingPods(clock);
    waiting.add(
      pod,
      new Map([
        ['A', 5000],
        ['B', 9000],
      ]),
    );
    act(waiting, clock);
    const outcome = await waiting.outcome('pod');
    if (expected === undefined) expect(outcome).toBeUndefined();
    else expect(outcome).toMatchObject(expected);
    expect(waiting.has('pod')).toBe(false);
  });
});

describe('the framework: Bind', () => {
  test('passes the pod to the next plugin if one skips', async () => {
    const seen: string[] = [];
    const binding = (name: string, outcome: Outcome) => ({
      name,
      bind: async () => {
        seen.push(name);
        return outcome;
      },
    });
    expect(
      await runBindPlugins([binding('A', SKIP), binding('B', undefined), binding('C', no)], placed),
    ).toBeUndefined();
    expect(seen).toEqual(['A', 'B']);
  });

  test('reports the error of a plugin', async () => {
    const status = await runBindPlugins([{ name: 'A', bind: async () => boom() }], placed);
    expect(status).toMatchObject({ code: 'Error', reasons: ['running Bind plugin "A": boom'] });
  });

  test('announces the node if PreBind has work to do', () => {
    const preparing = (name: string, preFlight?: Outcome | 'absent') => ({
      name,
      preBind: async () => undefined,
      ...(preFlight === 'absent' ? {} : { preBindPreFlight: () => preFlight }),
    });
    const run = (...plugins: ReturnType<typeof preparing>[]) => {
      const { plugins: working, announces } = runPreBindPreFlights(plugins, placed);
      return [working.map(({ name }) => name), announces];
    };
    expect(run(preparing('A', SKIP), preparing('B', undefined))).toEqual([['B'], true]);
    expect(run(preparing('A', SKIP), preparing('B', 'absent'))).toEqual([['B'], false]);
  });
});
