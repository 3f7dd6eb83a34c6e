import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ClientConfig } from '#lib/server/webhook/client-config.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { Invocation } from './invocation.ts';
import { recordedWebhooks } from './webhooks.ts';

const REVIEW: JsonObject = {
  kind: 'AdmissionReview',
  request: {
    uid: 'r-1',
    kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
    namespace: 'team',
    name: 'web',
    object: { metadata: { uid: 'u', resourceVersion: '5' }, spec: { password: 'hidden' } },
    oldObject: null,
  },
};
const service = (namespace: string, name: string): ClientConfig => ({
  service: { namespace, name, port: 443, path: '' },
  caBundle: '',
});

async function recordOf(body: JsonObject, config: ClientConfig, answer: JsonObject | Error): Promise<Invocation> {
  const records: Invocation[] = [];
  const client = recordedWebhooks({
    client: { call: async () => (answer instanceof Error ? Promise.reject(answer) : answer) },
    clock: new ManualClock(),
    sink: { record: (one) => void records.push(one) },
    nonce: () => 'made',
  });
  const called = client.call({ config, body });
  if (answer instanceof Error) await expect(called).rejects.toBe(answer);
  else expect(await called).toBe(answer);
  expect(JSON.stringify(records)).not.toContain('hidden');
  return records[0] as Invocation;
}

test.each<[string, ClientConfig, string]>([
  ['a function', service('davit-system', 'limits'), 'limits'],
  ['another Service', service('team', 'limits'), 'team/limits'],
  ['a URL', { url: 'https://hooks.example.com:8443/a?b=c', caBundle: '' }, 'hooks.example.com:8443'],
])('names the target of %s', async (_, config, name) => {
  expect((await recordOf(REVIEW, config, { response: { allowed: true } })).function).toBe(name);
});

test.each<[string, JsonObject | Error, Partial<Invocation>]>([
  ['an allowed review', { response: { allowed: true } }, { outcome: 'Done' }],
  [
    'a denied review',
    { response: { allowed: false, status: { message: 'too big' } } },
    { outcome: 'Denied', message: 'too big' },
  ],
  ['a failed call', new Error('connection refused'), { outcome: 'Error', message: 'connection refused' }],
])('records the outcome of %s', async (_, answer, expected) => {
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace: 'team',
    name: 'web',
    uid: 'u',
    resourceVersion: '5',
  };
  const rest = { id: 'r-1', type: 'Webhook', function: 'limits', attempt: 1, durationMs: 0, object };
  const record = await recordOf(REVIEW, service('davit-system', 'limits'), answer);
  expect(record).toEqual({ ...rest, start: '2023-11-14T22:13:20.000000Z', ...expected });
});

test('records no object for a review that has none', async () => {
  const record = await recordOf({ kind: 'TokenReview', spec: { token: 'hidden' } }, service('a', 'b'), {});
  expect(record).toMatchObject({ id: 'made', outcome: 'Done' });
  expect(record).not.toHaveProperty('object');
});
