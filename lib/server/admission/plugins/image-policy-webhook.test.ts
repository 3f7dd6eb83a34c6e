import { expect, test } from 'vitest';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { WebhookError } from '#lib/server/webhook/answer.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { ImagePolicy } from '../image-policy.ts';
import { anAttributes } from '../testing.ts';
import { imagePolicyWebhook } from './image-policy-webhook.ts';

const POLICY: ImagePolicy = {
  backend: { url: 'https://images.example.com/policy', caBundle: '' },
  allowTtl: 1000,
  denyTtl: 100,
  retryBackoff: 0,
  defaultAllow: false,
};
const POD: JsonObject = {
  metadata: { name: 'p', annotations: { 'a.image-policy.k8s.io/ticket': '7', b: 'c' } },
  spec: {
    initContainers: [{ name: 'i', image: 'init' }],
    containers: [{ name: 'c', image: 'main' }],
    ephemeralContainers: [{ name: 'e', image: 'late' }],
  },
};

type AttributesInput = Partial<Parameters<typeof anAttributes>[0]>;

/** Runs the plugin with a backend that returns these responses and repeats the last one. */
function before(answers: readonly (JsonObject | Error)[], more: Partial<ImagePolicy> = {}) {
  const clock = new ManualClock();
  const asked: JsonObject[] = [];
  const annotations: Record<string, string> = {};
  const webhooks: WebhookClient = {
    async call({ body }) {
      asked.push(body);
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? {};
      if (answer instanceof Error) throw answer;
      return { status: answer };
    },
  };
  const plugin = imagePolicyWebhook({ webhooks, clock, imagePolicy: { ...POLICY, ...more } });
  const outcome = async (request: AttributesInput = {}, object = structuredClone(POD)): Promise<string> => {
    const annotate = (key: string, value: string): void => void (annotations[key] = value);
    const attributes = anAttributes({ resource: 'pods', namespace: 'here', name: 'p', object, annotate, ...request });
    try {
      await plugin.validate?.(attributes);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return objectAt(objectAt(object, 'metadata'), 'annotations')?.['alpha.image-policy.k8s.io/failed-open'] === 'true'
      ? 'nobody was asked'
      : '';
  };
  return { asked, annotations, clock, outcome };
}

const denied = (why: string): string => `pods "p" is forbidden: ${why}`;
const DOWN = new WebhookError('unreachable', 'connection refused');
const failing = (status: number): Error => new WebhookError('refused', `status ${status}`, { status });

test.each<[string, readonly (JsonObject | Error)[], Partial<ImagePolicy>, string, number]>([
  ['allows', [{ allowed: true }], {}, '', 1],
  ['rejects', [{}], {}, denied('one or more images rejected by webhook backend'), 1],
  [
    'rejects with a reason',
    [{ allowed: false, reason: 'old' }],
    {},
    denied('image policy webhook backend denied one or more images: old'),
    1,
  ],
  ['is down', [DOWN], {}, denied('connection refused'), 1],
  ['is down, with failures allowed', [DOWN], { defaultAllow: true }, 'nobody was asked', 1],
  ['is busy and then allows', [failing(429), failing(500), { allowed: true }], {}, '', 3],
  ['stays busy', [failing(504)], {}, denied('status 504'), 5],
  ['returns 404', [failing(404)], {}, denied('status 404'), 1],
])('calls a backend that %s', async (_, answers, more, expected, calls) => {
  const { asked, outcome } = before(answers, more);
  expect(await outcome()).toBe(expected);
  expect(asked).toHaveLength(calls);
});

test('sends the images, the namespace and the relevant annotations', async () => {
  const { asked, outcome } = before([{ allowed: true }]);
  await outcome();
  expect(asked).toEqual([
    {
      kind: 'ImageReview',
      apiVersion: 'imagepolicy.k8s.io/v1alpha1',
      metadata: {},
      spec: {
        containers: [{ image: 'main' }, { image: 'init' }],
        annotations: { 'a.image-policy.k8s.io/ticket': '7' },
        namespace: 'here',
      },
      status: { allowed: false },
    },
  ]);
});

test.each<[string, AttributesInput, readonly string[]]>([
  [
    'regular containers in an update of ephemeral ones',
    { operation: 'UPDATE', subresource: 'ephemeralcontainers' },
    ['late'],
  ],
  ['other subresources', { operation: 'UPDATE', subresource: 'status' }, []],
  ['other resources', { resource: 'services' }, []],
  ['other groups', { group: 'example.com' }, []],
])('skips the backend for %s', async (_, request, images) => {
  const { asked, outcome } = before([{ allowed: true }]);
  await outcome(request);
  const told = asked.flatMap((body) => objectAt(body, 'spec')?.['containers'] ?? []);
  expect(told).toEqual(images.map((image) => ({ image })));
});

test('caches responses for their time, but neither failures nor responses with none', async () => {
  for (const [answer, more, moments] of [
    [{ allowed: true }, {}, [1, 1, 2]],
    [{ allowed: false }, {}, [1, 2, 3]],
    [{ allowed: true }, { allowTtl: 0 }, [1, 2, 3]],
    [DOWN, {}, [1, 2, 3]],
  ] as const) {
    const { asked, clock, outcome } = before([answer], more);
    const calls: number[] = [];
    for (const pause of [0, 100, 900]) {
      clock.advance(pause);
      await outcome();
      calls.push(asked.length);
    }
    expect(calls).toEqual(moments);
  }
});

test("records the backend's audit annotations and skipped calls under the plugin", async () => {
  const told = before([{ allowed: true, auditAnnotations: { reviewer: 'amy' } }]);
  await told.outcome();
  expect(told.annotations).toEqual({ 'imagepolicywebhook.image-policy.k8s.io/reviewer': 'amy' });
  const open = before([DOWN], { defaultAllow: true });
  await open.outcome();
  expect(open.annotations).toEqual({ 'imagepolicywebhook.image-policy.k8s.io/failed-open': 'true' });
});
