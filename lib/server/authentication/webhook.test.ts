import { expect, test } from 'vitest';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { WebhookError } from '#lib/server/webhook/answer.ts';
import type { WebhookCall } from '#lib/server/webhook/client.ts';
import { aClock } from './testing/world.ts';
import { tokenWebhook } from './webhook.ts';

const BOB = { username: 'bob', uid: '7', groups: ['dev'], extra: { 'acme.org/a': ['b'] } };

/** A webhook that returns or throws the given answers in order. */
function asked(...answers: (JsonObject | WebhookError)[]) {
  const calls: WebhookCall[] = [];
  const clock = aClock();
  const call = async (request: WebhookCall): Promise<JsonObject> => {
    calls.push(request);
    const answer = answers[calls.length - 1] ?? new WebhookError('unreachable', 'no more answers');
    if (answer instanceof WebhookError) throw answer;
    return { status: answer };
  };
  const config = { url: 'https://login.example', caBundle: '' };
  const authenticate = tokenWebhook({ config }, { webhooks: { call }, clock, audiences: ['api'] });
  const ask = (token = 't', audiences?: string[]) => authenticate(token, { warn: () => {}, ...defined({ audiences }) });
  return { ask, calls, clock };
}

test('sends the token and returns the user', async () => {
  const { ask, calls } = asked({ authenticated: true, user: BOB });
  expect(await ask()).toEqual({
    user: { name: 'bob', uid: '7', groups: ['dev'], extra: { 'acme.org/a': ['b'] } },
  });
  expect(calls[0]?.body).toMatchObject({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: 't' },
  });
});

test('calls the webhook once in two minutes per token and audiences', async () => {
  const yes = { authenticated: true, user: BOB };
  const { ask, calls, clock } = asked(yes, yes, yes);
  await Promise.all([ask(), ask(), ask()]);
  await ask('t', ['api']);
  expect(calls).toHaveLength(2);
  clock.advance(120_000);
  await ask();
  expect(calls).toHaveLength(3);
});

test.each<[string, JsonObject, string[] | undefined, readonly string[] | undefined]>([
  ['without audiences is for this server', { authenticated: true, user: BOB }, ['api', 'b'], ['api']],
  ['with audiences is for those', { authenticated: true, user: BOB, audiences: ['b', 'c'] }, ['api', 'b'], ['b']],
  ['with other audiences has no user', { authenticated: true, user: BOB, audiences: ['c'] }, ['api'], undefined],
])('a result %s', async (_, answer, audiences, common) => {
  expect((await asked(answer).ask('t', audiences))?.audiences).toEqual(common);
});

test('returns undefined for an unknown token and rejects on an error', async () => {
  expect(await asked({ authenticated: false }).ask()).toBeUndefined();
  await expect(asked({ error: 'expired' }).ask()).rejects.toMatchObject({ code: 401, message: 'expired' });
});

test('retries a temporary error with growing pauses, and then rejects', async () => {
  const fault = new WebhookError('unreachable', 'EOF', { isReset: true });
  const { ask, clock, calls } = asked(fault, { authenticated: true, user: BOB });
  expect((await ask())?.user.name).toBe('bob');
  expect([calls.length, clock.slept]).toEqual([2, [500]]);
  const dead = asked(fault, fault, fault, fault, fault);
  await expect(dead.ask()).rejects.toMatchObject({ code: 401, message: 'EOF' });
  expect(dead.clock.slept).toEqual([500, 750, 1125, 1687.5]);
});

test.each(['malformed', 'paused', 'unreachable'] as const)('neither retries nor caches the error %s', async (kind) => {
  const { ask, calls } = asked(new WebhookError(kind, 'no'), { authenticated: true, user: BOB });
  await expect(ask()).rejects.toMatchObject({ code: 401 });
  expect((await ask())?.user.name).toBe('bob');
  expect(calls).toHaveLength(2);
});
