import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { type Action, type ClusterEventWithHint, clusterEvent, type IncomingEvent } from '../../framework/events.ts';
import type { Plugin } from '../../framework/interface.ts';
import { newStatus } from '../../framework/status.ts';
import { aPod, type PodOf } from '../../testing/wrappers.ts';
import type { QueuedPod } from './queued-pod.ts';
import { QueueingHints } from './queueing-hints.ts';
import { SchedulingQueue } from './scheduling-queue.ts';

const NODE_ADD: IncomingEvent = { resource: 'Node', action: 'Add' };
const NODE_LABEL: IncomingEvent = { resource: 'Node', action: 'UpdateNodeLabel' };

const on = <R extends 'Node' | 'Pod'>(resource: R, actions: readonly Action[], hint?: boolean) =>
  clusterEvent(resource, actions, hint === undefined ? undefined : () => hint);

const plugin = (name: string, ...events: ClusterEventWithHint[]): Plugin => ({ name, eventsToRegister: () => events });

const gate = {
  ...plugin('Gate', on('Pod', ['UpdatePodSchedulingGatesEliminated'])),
  preEnqueue: ({ labels }: { readonly labels: Readonly<Record<string, string>> }) =>
    labels['gated'] === 'yes' ? newStatus('UnschedulableAndUnresolvable', 'gated') : undefined,
};

let clock: ManualClock;
let queue: SchedulingQueue;
let wakes: number;
let known: Map<string, JsonObject>;

beforeEach(() => {
  clock = new ManualClock();
  wakes = 0;
  known = new Map();
  const plugins = [
    plugin('Fit', on('Node', ['Add', 'UpdateNodeLabel'])),
    plugin('Picky', on('Node', ['Add'], false)),
    plugin('Updates', on('Node', ['Update'])),
    plugin('Outside', on('Node', ['Add'])),
    gate,
  ];
  queue = new SchedulingQueue({
    clock,
    backoff: { initial: 1000, max: 10_000 },
    less: (a, b) =>
      a.podInfo.priority === b.podInfo.priority ? a.timestamp < b.timestamp : a.podInfo.priority > b.podInfo.priority,
    profiles: new Map([['default-scheduler', { hints: new QueueingHints(plugins), preEnqueue: [gate] }]]),
    isPending: ({ uid }) => known.has(uid),
    onActive: () => wakes++,
  });
});

function add(of: PodOf): void {
  const pod = aPod(of);
  known.set(uidOf(pod), pod);
  queue.add(pod);
}

const popped = (): string => queue.pop()?.podInfo.name ?? 'none';

/** Pops the next pod and reports that these plugins refused it. */
function refuse(...plugins: string[]): QueuedPod {
  const pod = queue.pop();
  if (pod === undefined) throw new Error('there is none');
  pod.unschedulablePlugins = new Set(plugins);
  queue.addUnschedulable(pod);
  return pod;
}

test('orders pods by priority, then by time of arrival', () => {
  add({ name: 'late' });
  clock.advance(1);
  add({ name: 'later' });
  add({ name: 'vip', priority: 5 });
  expect([popped(), popped(), popped(), popped()]).toEqual(['vip', 'late', 'later', 'none']);
});

describe('SchedulingQueue: a refused pod', () => {
  test.each<[string, string[], IncomingEvent, boolean]>([
    ['retries after a change that its plugin waits for', ['Fit'], NODE_ADD, true],
    ['does not retry after another change', ['Fit'], { resource: 'Node', action: 'UpdateNodeTaint' }, false],
    ['does not retry if the hint rejects the change', ['Picky'], NODE_ADD, false],
    ['retries if the hint of one of several plugins accepts the change', ['Picky', 'Fit'], NODE_ADD, true],
    ['retries after any specific update if the plugin registered all updates', ['Updates'], NODE_LABEL, true],
    [
      'does not retry after a general update if the plugin registered a specific one',
      ['Fit'],
      { resource: 'Node', action: 'Update' },
      false,
    ],
    ['retries a failed pod after any change that may help', [], NODE_LABEL, true],
  ])('decides whether to requeue a pod: %s', (_, plugins, event, again) => {
    add({ name: 'a' });
    refuse(...plugins);
    clock.advance(20_000);
    queue.moveAll({ event });
    expect(popped()).toBe(again ? 'a' : 'none');
  });

  test('retries the pod if a helpful change arrived during its attempt', () => {
    add({ name: 'a' });
    const pod = queue.pop() as QueuedPod;
    queue.moveAll({ event: NODE_ADD });
    pod.unschedulablePlugins = new Set(['Fit']);
    queue.addUnschedulable(pod);
    expect(queue.pending).toMatchObject({ backoff: 1, unschedulable: 0 });
    expect(popped()).toBe('a');
  });

  test('does not retry the pod for a change from before its attempt', () => {
    add({ name: 'a' });
    queue.moveAll({ event: NODE_ADD });
    refuse('Fit');
    expect(queue.pending).toMatchObject({ unschedulable: 1 });
  });

  test('retries the pod without backoff if a plugin waited for an external event', () => {
    add({ name: 'a' });
    const pod = queue.pop() as QueuedPod;
    pod.pendingPlugins = new Set(['Outside']);
    queue.addUnschedulable(pod);
    queue.moveAll({ event: NODE_ADD });
    expect(queue.pending).toMatchObject({ active: 1, backoff: 0 });
  });

  test('retries the pod after five minutes without a helpful change', () => {
    add({ name: 'a' });
    refuse('Fit');
    expect(queue.nextDue()).toBe(clock.monotonic() + 300_000);
    clock.advance(299_999);
    expect(popped()).toBe('none');
    clock.advance(1);
    expect(popped()).toBe('a');
  });

  test('retries the pod when it is activated', () => {
    add({ name: 'a' });
    refuse('Fit');
    queue.activate(aPod({ name: 'a' }));
    expect(popped()).toBe('a');
  });

  test('does not move a pod that fails the precheck', () => {
    add({ name: 'a' });
    refuse('Fit');
    queue.moveAll({ event: NODE_ADD }, ({ name }) => name !== 'a');
    expect(queue.pending.unschedulable).toBe(1);
  });
});

describe('the backoff of SchedulingQueue', () => {
  test.each([-86_400_000, 86_400_000])('is unaffected if the wall clock jumps by %d ms', (jump) => {
    add({ name: 'a' });
    refuse();
    clock.jump(jump);
    expect(popped()).toBe('none');
    expect(queue.nextDue()).toBeLessThanOrEqual(clock.monotonic() + 3000);
    clock.advance(3000);
    expect(popped()).toBe('a');
  });

  test.each([
    [1, 1000],
    [2, 2000],
    [3, 4000],
    [4, 8000],
    [5, 10_000],
    [40, 10_000],
  ])('lasts, after %d failures, %d ms', (times, wait) => {
    add({ name: 'a' });
    for (let i = 1; i < times; i++) {
      refuse();
      clock.advance(20_000);
    }
    refuse();
    clock.advance(wait);
    expect(popped()).toBe('none');
    clock.advance(1000); // its backoff window ends
    expect(popped()).toBe('a');
  });

  test('is skipped for a refused pod if the queue is otherwise empty', () => {
    add({ name: 'a' });
    refuse('Fit');
    queue.moveAll({ event: NODE_ADD });
    expect(queue.pending).toMatchObject({ active: 0, backoff: 1 });
    add({ name: 'b' });
    expect([popped(), popped()]).toEqual(['b', 'a']);
  });

  test('returns when the queue is next due without any change', () => {
    add({ name: 'a' });
    refuse();
    const due = queue.nextDue() ?? 0;
    clock.advance(due - clock.monotonic());
    expect(popped()).toBe('a');
  });
});

describe('SchedulingQueue: a gated pod', () => {
  test('is not tried until its gate is removed', () => {
    add({ name: 'a', labels: { gated: 'yes' } });
    expect([popped(), queue.pending.gated, wakes]).toEqual(['none', 1, 0]);
    const before = aPod({ name: 'a', labels: { gated: 'yes' } });
    const event = { resource: 'Pod', action: 'UpdatePodSchedulingGatesEliminated' } as const;
    queue.update(before, aPod({ name: 'a' }), [event]);
    expect([popped(), wakes]).toEqual(['a', 1]);
  });

  test('is not tried after five minutes or after changes that its gate does not wait for', () => {
    add({ name: 'a', labels: { gated: 'yes' } });
    queue.moveAll({ event: NODE_ADD });
    clock.advance(600_000);
    expect([popped(), queue.nextDue()]).toEqual(['none', undefined]);
  });
});

describe('SchedulingQueue: a pod that is updated', () => {
  test('is tried in its latest state', () => {
    add({ name: 'a' });
    queue.update(aPod({ name: 'a' }), aPod({ name: 'a', priority: 9 }), []);
    expect(queue.pop()?.podInfo.priority).toBe(9);
  });

  test('is retried if the update during its attempt may help it', () => {
    add({ name: 'a' });
    const pod = queue.pop() as QueuedPod;
    queue.update(aPod({ name: 'a' }), aPod({ name: 'a' }), [NODE_ADD]);
    pod.unschedulablePlugins = new Set(['Fit']);
    queue.addUnschedulable(pod);
    expect(popped()).toBe('a');
  });

  test('is not tried after its deletion', () => {
    add({ name: 'a' });
    queue.delete('a');
    expect(popped()).toBe('none');
  });
});

describe('nominations in SchedulingQueue', () => {
  const nominated = (node: string) => queue.nominatedPodsForNode(node).map(({ name }) => name);

  test('follow the status of the pod', () => {
    const status = { nominatedNodeName: 'n1' };
    add({ name: 'a', status });
    expect(nominated('n1')).toEqual(['a']);
    queue.update(aPod({ name: 'a', status }), aPod({ name: 'a', status: { nominatedNodeName: 'n2' } }), []);
    expect([nominated('n1'), nominated('n2')]).toEqual([[], ['a']]);
  });

  test('survive an update before the status shows them', () => {
    add({ name: 'a' });
    const pod = refuse('Fit');
    queue.nominations.add(pod.podInfo, 'n1');
    queue.update(aPod({ name: 'a' }), aPod({ name: 'a', labels: { b: 'c' } }), []);
    expect(queue.nominatedPodsForNode('n1')).toMatchObject([{ labels: { b: 'c' } }]);
    queue.nominations.add(pod.podInfo, '');
    expect(nominated('n1')).toEqual([]);
  });

  test('exclude pods that are deleted or have a node', () => {
    add({ name: 'a' });
    const { podInfo } = queue.pop() as QueuedPod;
    known.clear();
    queue.nominations.add(podInfo, 'n1');
    expect(nominated('n1')).toEqual([]);
  });
});
