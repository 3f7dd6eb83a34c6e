import { expect, test } from 'vitest';
import { settled } from '#test/support/settled.ts';
import type { ChannelState } from './agent-channel.ts';
import { NameClaim } from './name-claim.ts';

const TAKEN: ChannelState = { connected: false, reason: 'another instance of node "n1" is connected' };
const NEVER = new AbortController().signal;

/** Whether an agent may act after these reports. */
const isHeld = (...states: readonly ChannelState[]): Promise<boolean> => isHeldBy(new NameClaim('n1'), ...states);

async function isHeldBy(claim: NameClaim, ...states: readonly ChannelState[]): Promise<boolean> {
  for (const state of states) claim.take(state);
  return Promise.race([claim.held(NEVER).then(() => true), settled().then(() => false)]);
}

test.each<[string, readonly ChannelState[], boolean]>([
  ['before the server has answered', [], false],
  ['while another host has the name', [TAKEN, TAKEN], false],
  ['once the other host is gone', [TAKEN, { connected: true, features: [] }], true],
  ['with a channel', [{ connected: true, features: [] }], true],
  ['at a server without channels', [{ connected: false, reason: 'the server answers 404' }], true],
])('lets an agent act for its node %s: %s', async (_, states, expected) => {
  expect(await isHeld(...states)).toBe(expected);
});

test.each<[string, readonly ChannelState[], boolean]>([
  ['at a server out of reach', [{ connected: false, reason: 'ECONNREFUSED' }], false],
  ['while another host has the name', [TAKEN], false],
  [
    'with a channel',
    [
      { connected: false, reason: 'ECONNREFUSED' },
      { connected: true, features: [] },
    ],
    true,
  ],
])('lets an agent that needs a channel act for its node %s: %s', async (_, states, expected) => {
  expect(await isHeldBy(new NameClaim('n1', { needsChannel: true }), ...states)).toBe(expected);
});

test('ends an agent when another host takes its name', () => {
  const claim = new NameClaim('n1');
  claim.take({ connected: true, features: [] });
  claim.take({ connected: false, reason: 'the connection is lost' });
  expect(() => claim.take(TAKEN)).toThrow('another instance of node "n1" is connected');
});

test('stops waiting for the name when the signal aborts', async () => {
  const ending = new AbortController();
  const held = new NameClaim('n1').held(ending.signal);
  ending.abort();
  await held;
});
