import { beforeEach, expect, test } from 'vitest';
import { EventClock } from '#test/support/event-clock.ts';
import { runAgentChannel } from './agent-channel.ts';
import type { Dialer, Target } from './dialer.ts';
import { NodeChannels } from './node-channels.ts';
import { RoutedDialer } from './routed-dialer.ts';
import { numbers } from './testing/ends.ts';
import { Plug } from './testing/plug.ts';

const NEVER = new AbortController().signal;
const random = numbers(1);
const via = { node: 'n1', purpose: { verb: 'exec', podUID: 'u', container: 'c', user: 'jane' } } as const;
const dialled: Target[] = [];
const direct: Dialer = {
  dial(target) {
    dialled.push(target);
    return Promise.reject(new Error('dialled directly'));
  },
};

let clock: EventClock;
let channels: NodeChannels;

beforeEach(() => {
  dialled.splice(0);
  clock = new EventClock();
  channels = new NodeChannels({
    clock,
    randomId: () => Math.floor(random() * 2 ** 48),
    randomName: () => `${random()}`,
  });
});

test('dials a target without a node directly', async () => {
  const target = { host: '10.0.0.1', port: 10_250, globalOnly: false };
  await expect(new RoutedDialer(channels, direct).dial(target, NEVER)).rejects.toThrow('dialled directly');
  expect(dialled).toEqual([target]);
});

test('dials a target on a node through its agent', async () => {
  const asked: unknown[] = [];
  const ports = {
    clock,
    random,
    node: 'n1',
    hello: { session: 's', instance: { key: 'k', machineId: 'm', bootId: 'b' } },
    connect: new Plug(clock, channels).connect('n1'),
    accept: (body: unknown) => void asked.push(body),
    ring: () => undefined,
    report: () => undefined,
  };
  void runAgentChannel(ports, NEVER);
  await clock.runUntil(clock.sleep(100));
  const target = { host: 'n1', port: 10_250, globalOnly: false, via };
  await clock.runUntil(new RoutedDialer(channels, direct).dial(target, NEVER));
  expect([asked, dialled]).toEqual([[expect.objectContaining({ host: 'n1', port: 10_250, ...via.purpose })], []]);
});

test('never dials a node without a channel', async () => {
  const target = { host: 'n1', port: 10_250, globalOnly: false, via };
  await expect(new RoutedDialer(channels, direct).dial(target, NEVER)).rejects.toThrow('node "n1" has no channel');
  expect(dialled).toEqual([]);
});
