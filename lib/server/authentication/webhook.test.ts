import { expect, test } from 'vitest';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { WebhookError } from '#lib/server/webhook/answer.ts';
import type { WebhookCall } from '#lib/server/webhook/client.ts';
import { aClock } from './testing/world.ts';
import { tokenWebhook } from './webhook.ts';

const BOB = { username: 'bob', uid: '7', groups: ['dev'], extra: { 'acme.org/a': ['b'] } };

/** A webhook that answers in turn; what is an error it throws. */
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

test('sends the token and reads who it is', async () => {
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

test('asks once in two minutes for a token and its audiences', async () => {
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
  ['that names none is for this server', { authenticated: true, user: BOB }, ['api', 'b'], ['api']],
  ['that names some is for those', { authenticated: true, user: BOB, audiences: ['b', 'c'] }, ['api', 'b'], ['b']],
  ['that names others is for nobody', { authenticated: true, user: BOB, audiences: ['c'] }, ['api'], undefined],
])('an answer %s', async (_, answer, audiences, common) => {
  expect((await asked(answer).ask('t', audiences))?.audiences).toEqual(common);
});

test('who is not known is nobody; an error is a refusal', async () => {
  expect(await asked({ authenticated: false }).ask()).toBeUndefined();
  await expect(asked({ error: 'expired' }).ask()).rejects.toMatchObject({ code: 401, message: 'expired' });
});

test('tries again where the fault may pass, with growing pauses, and then refuses', async () => {
  const fault = new WebhookError('unreachable', 'EOF', { isReset: true });
  const { ask, clock, calls } = asked(fault, { authenticated: true, user: BOB });
  expect((await ask())?.user.name).toBe('bob');
  expect([calls.length, clock.slept]).toEqual([2, [500]]);
  const dead = asked(fault, fault, fault, fault, fault);
  await expect(dead.ask()).rejects.toMatchObject({ code: 401, message: 'EOF' });
  expect(dead.clock.slept).toEqual([500, 750, 1125, 1687.5]);
});

test.each(['malformed', 'paused', 'unreachable'] as const)('who is %s is not asked again, nor kept', async (kind) => {
  const { ask, calls } = asked(new WebhookError(kind, 'no'), { authenticated: true, user: BOB });
  await expect(ask()).rejects.toMatchObject({ code: 401 });
  expect((await ask())?.user.name).toBe('bob');
  expect(calls).toHaveLength(2);
});
