import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Client, ObjectRef } from '#lib/client/client.ts';
import { conflict, internalError, notFound } from '#lib/machinery/errors.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aHandle } from '../../../testing/wrappers.ts';
import type { Extender } from '../../extender.ts';
import type { Handle, NodeToStatus, PodEvent } from '../../interface.ts';
import { podInfoOf } from '../../pod-info-of.ts';
import { aWorld, nodes, pod, type WorldOf } from '../../preemption/testing.ts';
import { newStatus, type Status } from '../../status.ts';
import { defaultPreemptionArgs } from './args.ts';
import { defaultPreemption, numberOfCandidates } from './default-preemption.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const ARGS = defaultPreemptionArgs.parse({});
const LEAVING = {
  deleted: '2026-01-01T00:00:00Z',
  status: { conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }] },
};

const CODES = new Map<string, Status>([
  ['-', newStatus('Unschedulable', 'no room')],
  ['!', newStatus('UnschedulableAndUnresolvable', 'never')],
]);
/** The statuses of nodes a, b, c …: `-` if preemption may help, `!` if it cannot, `.` for no status. */
const saidOf = (text: string): NodeToStatus =>
  new Map(
    [...text].flatMap((sign, i) =>
      CODES.has(sign) ? [['abcde'.charAt(i), CODES.get(sign) ?? newStatus('Error')]] : [],
    ),
  );

/** A pod API that records its requests. */
function serverOf(pods: readonly Pod[], faults: Readonly<Record<string, Error>> = {}) {
  const asked: [string, string, unknown?][] = [];
  const held = new Map(pods.map((one) => [nameOf(one), one]));
  const answer = (verb: string, { name }: ObjectRef, body?: unknown): void => {
    asked.push(body === undefined ? [verb, name] : [verb, name, body]);
    const fault = faults[`${verb} ${name}`];
    if (fault !== undefined) throw fault;
  };
  const client: Client = {
    ...aHandle().client,
    get: async (ref) => held.get(ref.name),
    async patch(ref, patch) {
      answer('patch', ref, patch);
      return {};
    },
    async delete(ref, request) {
      answer('delete', ref, request);
      held.delete(ref.name);
    },
  };
  return { client, asked };
}

interface Run extends WorldOf {
  readonly pod: Pod;
  readonly said: string;
  readonly faults?: Readonly<Record<string, Error>>;
  readonly unbound?: readonly string[];
}

/** Runs PostFilter. Returns its result and the work that it started. */
async function run({ pod: incoming, said, faults, unbound = [], pods = [], ...of }: Run) {
  const server = serverOf(pods, faults);
  const work: Promise<void>[] = [];
  const [activated, events]: [string[], [string, PodEvent][]] = [[], []];
  const world = aWorld({ ...of, pods: [...pods, incoming], client: server.client, clock: new ManualClock(NOW) });
  const handle: Handle = Object.assign(world.handle, {
    inBackground: (one: Promise<void>) => void work.push(one),
    activate: (one: Pod) => void activated.push(nameOf(one)),
    preemptUnbound: (uid: string) => unbound.includes(uid),
    record: (one: Pod, event: PodEvent) => void events.push([nameOf(one), event]),
  });
  const plugin = defaultPreemption(ARGS, handle);
  const info = podInfoOf(incoming);
  const outcome = await plugin.postFilter?.(world.stateOf(info), info, saidOf(said));
  const isHeldBack = plugin.preEnqueue?.(info);
  const ended = await Promise.allSettled(work);
  const faultsSeen = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  return { outcome, plugin, info, isHeldBack, faultsSeen, activated, events, asked: server.asked };
}

/** The nominated node, or the message. */
async function verdict(given: Run): Promise<string> {
  const { outcome } = await run(given);
  const { result, status } = outcome ?? {};
  const shown = [
    result && `node: ${result.nominatedNodeName}`,
    status && `${status.code}: ${status.reasons.join('; ')}`,
  ];
  return shown.filter((one) => one !== undefined).join(', ');
}

describe('DefaultPreemption: a pod', () => {
  const none = (text: string): string => `node: , Unschedulable: preemption: ${text}`;

  test.each<[string, string, string, string[], string, string]>([
    ['has a higher priority', 'p 9', 'a:one', ['p1@a'], '-', 'node: a'],
    [
      'has the same priority',
      'p',
      'a:one',
      ['p1@a'],
      '-',
      none('0/1 nodes are available: 1 No preemption victims found for incoming pod.'),
    ],
    [
      'could not use the node without victims either',
      'p 9',
      'a:one',
      ['p1@a'],
      '!',
      none('0/1 nodes are available: 1 Preemption is not helpful for scheduling.'),
    ],
    [
      'could use a node that was not checked',
      'p 9',
      'a:one',
      ['p1@a'],
      '.',
      none('0/1 nodes are available: 1 Preemption is not helpful for scheduling.'),
    ],
    ['finds nodes of different importance', 'p 5', 'a:one b:one', ['p1@a 9', 'p2@b 1'], '--', 'node: b'],
    [
      'fits nowhere',
      'p 9 xl',
      'a b',
      ['p1@a', 'p2@b', 'p3@a 9 s', 'p4@b 9 s'],
      '--',
      none('0/2 nodes are available: 2 Insufficient cpu.'),
    ],
    [
      'fits nowhere for several reasons',
      'p 9 xl',
      'a:one b c:one',
      ['p1@a 9', 'p2@b', 'p3@c 9', 'p4@b 9 s'],
      '---',
      none('0/3 nodes are available: 1 Insufficient cpu, 2 No preemption victims found for incoming pod.'),
    ],
    [
      'fits nowhere, with unresolvable reasons',
      'p 9 xl',
      'a b c d',
      ['p1@a', 'p2@b', 'p3@a 9 s', 'p4@b 9 s'],
      '--.!',
      none('0/4 nodes are available: 2 Insufficient cpu, 2 Preemption is not helpful for scheduling.'),
    ],
  ])('evaluates preemption for a pod that %s', async (_, incoming, on, pods, said, expected) => {
    expect(await verdict({ pod: pod(incoming), nodes: nodes(on), pods: pods.map((one) => pod(one)), said })).toBe(
      expected,
    );
  });

  test('finds no candidate without nodes', async () => {
    expect(await verdict({ pod: pod('p 9'), nodes: [], said: '' })).toBe('Error: preemption: no nodes available');
  });

  test('does not preempt for a deleted pod', async () => {
    const { handle, stateOf } = aWorld({ nodes: nodes('a') });
    const info = podInfoOf(pod('p 9'));
    const outcome = await defaultPreemption(ARGS, handle).postFilter?.(stateOf(info), info, new Map());
    expect(outcome?.status).toEqual(newStatus('Error', 'preemption: pod "p" not found'));
  });

  test('reports an error if the trial fails on one node or on all', async () => {
    const failing = (on: string) => () => ({
      name: 'Failing',
      preFilterExtensions: {
        addPod: () => undefined,
        removePod: (_: unknown, __: unknown, ___: unknown, { name }: { name: string }) =>
          on.includes(name) ? newStatus('Error', 'failed to remove') : undefined,
      },
    });
    const of = { pod: pod('p 9'), nodes: nodes('a:one b:one'), pods: [pod('p1@a'), pod('p2@b')], said: '--' };
    expect(await verdict({ ...of, plugins: [failing('a')] })).toBe('node: b');
    expect(await verdict({ ...of, plugins: [failing('ab')] })).toBe('Error: preemption: failed to remove');
  });
});

describe('the eligibility for DefaultPreemption', () => {
  const nominated = { status: { nominatedNodeName: 'a' } };
  const awaits = 'Unschedulable: preemption: not eligible due to a terminating pod on the nominated node.';

  test.each<[string, Pod, Pod[], string, string]>([
    [
      'not with preemptionPolicy Never',
      pod('p 9', { spec: { preemptionPolicy: 'Never' } }),
      [pod('p1@a')],
      '-',
      'Unschedulable: preemption: not eligible due to preemptionPolicy=Never.',
    ],
    [
      'yes by default',
      pod('p 9', { spec: { preemptionPolicy: 'PreemptLowerPriority' } }),
      [pod('p1@a')],
      '-',
      'node: a',
    ],
    ['not while it waits for terminating victims', pod('p 9', nominated), [pod('p1@a', LEAVING)], '-', awaits],
    [
      'yes if its nominated node no longer fits',
      pod('p 9', nominated),
      [pod('p1@a', LEAVING), pod('p2@b')],
      '!-',
      'node: b',
    ],
    [
      'yes if its nominated node was not checked',
      pod('p 9', nominated),
      [pod('p1@a', LEAVING), pod('p2@b')],
      '.-',
      'node: b',
    ],
    [
      'yes if pods on its node terminate for other reasons',
      pod('p 9', nominated),
      [pod('p1@a', { deleted: '2026-01-01T00:00:00Z' })],
      '-',
      'node: a',
    ],
    [
      'yes if more important pods on its node terminate',
      pod('p 5', nominated),
      [pod('p1@a 9', LEAVING), pod('p2@b')],
      '--',
      'node: b',
    ],
    ['yes if no victims are terminating', pod('p 9', nominated), [pod('p1@a')], '-', 'node: a'],
  ])('checks whether a pod may preempt others: %s', async (_, incoming, pods, said, expected) => {
    expect(await verdict({ pod: incoming, nodes: nodes(pods.length > 1 ? 'a:one b:one' : 'a:one'), pods, said })).toBe(
      expected,
    );
  });
});

describe('DefaultPreemption with extenders', () => {
  const anExtender = (of: Partial<Extender>): Extender => ({
    name: 'e',
    does: { filter: false, prioritize: false, preempt: true, bind: false },
    ignorable: false,
    weight: 1,
    isInterested: () => true,
    filter: () => Promise.reject(new Error('no filter')),
    prioritize: () => Promise.reject(new Error('no prioritize')),
    processPreemption: async (_pod, candidates) => new Map([...candidates].filter(([name]) => name === 'a')),
    bind: () => Promise.reject(new Error('no bind')),
    ...of,
  });
  const onlyA = anExtender({});
  const failing = { processPreemption: () => Promise.reject(new Error('out of reach')) };
  const unvictimed = { processPreemption: async () => new Map([['a', { pods: [], pdbViolations: 0 }]]) };
  const nowhere = anExtender({ processPreemption: async () => new Map() });
  const no = 'Unschedulable: preemption: no candidate node for preemption';

  test.each<[string, Extender[], string]>([
    ['accept one node', [onlyA], 'node: a'],
    ['accept no node', [nowhere, anExtender(failing)], no],
    ['fail', [anExtender(failing)], 'Error: preemption: out of reach'],
    ['fail but are ignorable', [anExtender({ ...failing, ignorable: true }), onlyA], 'node: a'],
    [
      'return a node without victims',
      [anExtender(unvictimed)],
      'Error: preemption: expected at least one victim pod on node "a"',
    ],
    ['return a node without victims but are ignorable', [anExtender({ ...unvictimed, ignorable: true })], no],
    ['are not interested in the pod', [anExtender({ isInterested: () => false })], 'node: b'],
    ['do not support preemption', [anExtender({ does: { ...onlyA.does, preempt: false } })], 'node: b'],
  ])('handles extenders that %s', async (_, extenders, expected) => {
    const pods = [pod('p1@a 5'), pod('p2@b 1')];
    expect(await verdict({ pod: pod('p 9'), nodes: nodes('a:one b:one'), pods, said: '--', extenders })).toBe(expected);
  });
});

describe('DefaultPreemption: a victim', () => {
  const three = ['p1@a 1 m', 'p2@a 1 m', 'p3@a 1 s'].map((one) => pod(one));
  const of = { pod: pod('p 9 xl'), nodes: nodes('a'), pods: three, said: '-' };
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    observedGeneration: 0,
    lastProbeTime: null,
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: 'PreemptionByScheduler',
    message: 'default-scheduler: preempting to accommodate a higher priority pod',
  };

  test('gets a condition and is deleted while the preemptor waits', async () => {
    const { asked, events, isHeldBack, plugin, info, activated } = await run(of);
    expect(isHeldBack).toEqual(
      newStatus('UnschedulableAndUnresolvable', 'waiting for the preemption for this pod to be finished'),
    );
    expect(asked.filter(([, name]) => name === 'p1')).toEqual([
      ['patch', 'p1', { metadata: { uid: 'p1' }, status: { conditions: [condition] } }],
      ['delete', 'p1', { uid: 'p1' }],
    ]);
    expect(asked.slice(-2).map(([verb, name]) => `${verb} ${name}`)).toEqual(['patch p3', 'delete p3']);
    expect(events.map(([name]) => name).sort()).toEqual(['p1', 'p2', 'p3']);
    expect(events[0]?.[1]).toMatchObject({
      type: 'Normal',
      reason: 'Preempted',
      action: 'Preempting',
      message: 'Preempted by pod p on node a',
    });
    expect(plugin.preEnqueue?.(info)).toBeUndefined();
    expect(activated).toEqual(['p']);
  });

  test('gets the condition only once', async () => {
    const [first, ...others] = three;
    const { asked } = await run({ ...of, pods: [{ ...first, ...pod('p1@a 1 m', LEAVING) }, ...others] });
    expect(asked.map(([, name]) => name)).not.toContain('p1');
    const { asked: none, isHeldBack } = await run({ ...of, pods: [pod('p1@a 1 xl', LEAVING)] });
    expect([none, isHeldBack]).toEqual([[], undefined]);
  });

  test('is skipped if it was already deleted', async () => {
    const gone = {
      'patch p1': notFound({ group: '', resource: 'pods' }, 'p1'),
      'delete p2': conflict({ group: '', resource: 'pods' }, 'p2', 'another uid'),
    };
    const { events, faultsSeen } = await run({ ...of, faults: gone });
    expect([events.map(([name]) => name), faultsSeen]).toEqual([['p3'], []]);
  });

  test('stays if the server fails, and the pod is retried with the last victim untouched', async () => {
    const fault = internalError('broken');
    const { asked, faultsSeen, activated, plugin, info } = await run({ ...of, faults: { 'delete p1': fault } });
    expect(asked.map(([, name]) => name)).not.toContain('p3');
    expect([faultsSeen, activated, plugin.preEnqueue?.(info)]).toEqual([[fault], ['p'], undefined]);
  });

  test('that is not bound yet loses its node', async () => {
    const { asked, events } = await run({ ...of, pods: [pod('p1@a 1 xl')], unbound: ['p1'] });
    expect(asked).toEqual([]);
    expect(events[0]?.[1].message).toBe('Preempted by pod p on node a (in kube-scheduler memory).');
  });

  test('clears nominations of less important pods for the node', async () => {
    const waiting = (text: string) => podInfoOf(pod(text, { status: { nominatedNodeName: 'a' } }));
    const nominated = { a: [waiting('q1 8'), waiting('q2 9'), podInfoOf(pod('q3 1'))] };
    const { asked } = await run({ ...of, nominated });
    expect(asked.filter(([, name]) => name.startsWith('q'))).toEqual([
      ['patch', 'q1', { metadata: { uid: 'q1' }, status: { nominatedNodeName: null } }],
    ]);
  });
});

test('retries the pod as soon as the last victim is known to terminate', async () => {
  const waiting = pod('p 9 xl');
  const known: Pod[] = [waiting, pod('p1@a 1 xl')];
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const client: Client = {
    ...serverOf(known).client,
    delete() {
      asked.resolve();
      return answered.promise;
    },
  };
  const { handle, stateOf } = aWorld({ nodes: nodes('a'), pods: known, client });
  const plugin = defaultPreemption(ARGS, handle);
  const info = podInfoOf(waiting);
  await plugin.postFilter?.(stateOf(info), info, saidOf('-'));
  await asked.promise;
  expect(plugin.preEnqueue?.(info)?.code).toBe('UnschedulableAndUnresolvable');
  known[1] = pod('p1@a 1 xl', LEAVING);
  expect(plugin.preEnqueue?.(info)).toBeUndefined();
  expect(plugin.preEnqueue?.(podInfoOf(pod('other')))).toBeUndefined();
  answered.resolve();
});

test.each([
  [100, { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 }, 100],
  [50, { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 }, 50],
  [5000, { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 }, 500],
  [19, { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 0 }, 1],
])('tries candidates among %s nodes with %j: %s', (count, args, expected) => {
  expect(numberOfCandidates(args, count)).toBe(expected);
});
