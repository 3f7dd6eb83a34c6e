import { expect, test } from 'vitest';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { WebhookError } from '#lib/server/webhook/answer.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { Attributes, Decision } from '../authorizer.ts';
import { AuthorizationMetrics } from '../metrics.ts';
import { asks, aUser } from '../rbac/a-policy.ts';
import { type AuthorizationWebhook, webhookAuthorizer } from './authorizer.ts';

const GIVEN: AuthorizationWebhook = {
  config: { url: 'https://example.com/', caBundle: '' },
  timeoutSeconds: 3,
  authorizedTtl: 300_000,
  unauthorizedTtl: 30_000,
  failurePolicy: 'NoOpinion',
  matchConditions: [],
};

/** An authorizer whose webhook returns `status` or fails, and the requests that it received. */
function aWebhook(status: JsonObject | Error, more: Partial<AuthorizationWebhook> = {}) {
  const clock = new ManualClock();
  const asked: JsonObject[] = [];
  const webhooks: WebhookClient = {
    async call({ body }) {
      asked.push(objectAt(body, 'spec') ?? {});
      if (status instanceof Error) throw status;
      return { status };
    },
  };
  const metrics = new AuthorizationMetrics(clock);
  const given = { name: 'hook', webhook: { ...GIVEN, ...more } };
  return { clock, asked, metrics, authorize: webhookAuthorizer(given, { webhooks, clock, metrics }) };
}

const DOWN = new WebhookError('unreachable', 'connection refused');
const ANN = aUser('ann', 'devs');
const PODS = asks('list ns core pods');

/** Upstream's TestWebhook and TestWebhookCache. */
test.each<[string, JsonObject | Error, AuthorizationWebhook['failurePolicy'], Decision]>([
  ['allows', { allowed: true, reason: 'why' }, 'NoOpinion', { decision: 'allow', reason: 'why' }],
  ['has no opinion', { allowed: false, reason: 'no' }, 'NoOpinion', { decision: 'noOpinion', reason: 'no' }],
  ['returns an empty status', {}, 'Deny', { decision: 'noOpinion', reason: '' }],
  ['denies', { denied: true }, 'NoOpinion', { decision: 'deny', reason: '' }],
  [
    'both allows and denies',
    { allowed: true, denied: true },
    'NoOpinion',
    { decision: 'deny', reason: '', error: 'webhook subject access review returned both allow and deny response' },
  ],
  ['is unreachable', DOWN, 'NoOpinion', { decision: 'noOpinion', reason: '', error: 'connection refused' }],
  ['is required but unreachable', DOWN, 'Deny', { decision: 'deny', reason: '', error: 'connection refused' }],
])('returns the decision of a webhook that %s', async (_, status, failurePolicy, decision) => {
  expect(await aWebhook(status, { failurePolicy }).authorize(ANN, PODS)).toEqual(decision);
});

test.each<[string, Attributes, JsonObject]>([
  [
    'a list',
    {
      ...PODS,
      fieldSelector: [{ field: 'spec.nodeName', operator: '!=', value: 'n' }],
      labelSelector: [
        { key: 'a', operator: '=', values: ['b'] },
        { key: 'c', operator: 'exists', values: [] },
        { key: 'd', operator: 'gt', values: ['1'] },
      ],
    },
    {
      resourceAttributes: {
        namespace: 'ns',
        verb: 'list',
        version: 'v1',
        resource: 'pods',
        fieldSelector: { requirements: [{ key: 'spec.nodeName', operator: 'NotIn', values: ['n'] }] },
        labelSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['b'] },
            { key: 'c', operator: 'Exists' },
          ],
        },
      },
    },
  ],
  ['a path', asks('get /metrics'), { nonResourceAttributes: { path: '/metrics', verb: 'get' } }],
])('sends a review for %s', async (_, attributes, spec) => {
  const { asked, authorize } = aWebhook({ allowed: true });
  await authorize({ ...ANN, uid: '7', extra: { scope: ['x'] } }, attributes);
  expect(asked).toEqual([{ ...spec, user: 'ann', groups: ['devs'], uid: '7', extra: { scope: ['x'] } }]);
});

test.each([
  ['an allowed request', { allowed: true }, 300_000],
  ['a request that is not allowed', { allowed: false }, 30_000],
])('caches %s for its duration and only for the same request', async (_, status, ttl) => {
  const { asked, authorize, clock } = aWebhook(status);
  await authorize(ANN, PODS);
  await authorize(ANN, PODS);
  expect(asked).toHaveLength(1);
  await authorize({ ...ANN, groups: [] }, PODS);
  await authorize(ANN, asks('list other core pods'));
  expect(asked).toHaveLength(3);
  clock.advance(ttl);
  await authorize(ANN, PODS);
  expect(asked).toHaveLength(4);
});

test('does not cache failures or results with a duration of 0', async () => {
  for (const { asked, authorize } of [aWebhook(DOWN), aWebhook({ allowed: true }, { authorizedTtl: 0 })]) {
    await authorize(ANN, PODS);
    await authorize(ANN, PODS);
    expect(asked).toHaveLength(2);
  }
});

/** Upstream's TestWebhookMatchConditions. */
test.each<[conditions: string[], calls: number, decision: Decision]>([
  [["request.user == 'ann'", "request.resourceAttributes.namespace == 'ns'"], 1, { decision: 'allow', reason: '' }],
  [["request.user == 'bob'"], 0, { decision: 'noOpinion', reason: '' }],
  [["'devs' in request.groups && request.uid == ''"], 1, { decision: 'allow', reason: '' }],
  [
    ["has(request.nonResourceAttributes) && request.nonResourceAttributes.path == '/'"],
    0,
    { decision: 'noOpinion', reason: '' },
  ],
  [['!has(request.resourceAttributes.fieldSelector)'], 1, { decision: 'allow', reason: '' }],
  [
    ["request.extra['a'][0] == 'b'"],
    0,
    {
      decision: 'deny',
      reason: '',
      error: "cel evaluation error: expression 'request.extra['a'][0] == 'b'' resulted in error: no such key: a",
    },
  ],
  [["request.extra['a'][0] == 'b'", 'false'], 0, { decision: 'noOpinion', reason: '' }],
])('evaluates the match conditions %j', async (matchConditions, calls, decision) => {
  const { asked, authorize } = aWebhook({ allowed: true }, { matchConditions, failurePolicy: 'Deny' });
  expect(await authorize(ANN, PODS)).toEqual(decision);
  expect(asked).toHaveLength(calls);
});

test.each([["'x'"], ['request.nothing == 1'], ['request.']])('rejects the match condition %s', (condition) => {
  expect(() => aWebhook({}, { matchConditions: [condition] })).toThrow(TypeError);
});

test.each<[string, JsonObject | Error, Partial<AuthorizationWebhook>, string[]]>([
  ['a successful call', { allowed: true }, {}, ['webhook_evaluations_total hook,success 1']],
  [
    'a failure that fails open',
    new WebhookError('refused', 'no', { status: 403 }),
    {},
    ['webhook_evaluations_total hook,error 1', 'webhook_evaluations_fail_open_total hook,error 1'],
  ],
  [
    'a failure that denies',
    new WebhookError('refused', 'no', { status: 403 }),
    { failurePolicy: 'Deny' },
    ['webhook_evaluations_total hook,error 1'],
  ],
  [
    'a request that a condition excludes',
    {},
    { matchConditions: ['request.user == "somebody else"'] },
    ['match_condition_exclusions_total Webhook,hook 1'],
  ],
])('counts %s in metrics', async (_, status, more, expected) => {
  const { authorize, metrics } = aWebhook(status, more);
  await authorize(aUser('ann'), asks('list ns core pods'));
  const told = metrics
    .collect()
    .filter(({ type }) => type === 'counter')
    .flatMap(({ name, samples }) =>
      samples.map(({ labels, value }) => `${name} ${Object.values(labels).join()} ${value}`),
    );
  expect(told).toEqual(expected.map((one) => `apiserver_authorization_${one}`));
});
