import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock as clock } from '#adapters/clock.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import { isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { withReviews } from '#lib/sdk/webhook-sdk/reviews.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import { reviewersIn } from './reviewers.ts';
import { type Apiserver, type ApiserverOptions, buildApiserver } from './wiring.ts';

/** Functions of an account that authenticate amy, allow her to read config maps, and reject images named bad. */
const FUNCTIONS: Readonly<Record<string, (spec: JsonObject | undefined) => object>> = {
  'davit-tokens-1': (spec) =>
    spec?.['token'] === 'of-amy' ? { authenticated: true, user: { username: 'amy' } } : { authenticated: false },
  'davit-access-1': (spec) => ({
    allowed: spec?.['user'] === 'amy' && objectAt(spec, 'resourceAttributes')?.['resource'] !== 'secrets',
  }),
  'davit-images-1': (spec) => ({ allowed: !JSON.stringify(spec).includes('bad'), reason: 'a bad image' }),
};

const { reviewers, known } = reviewersIn({
  TokenReview: 'davit-tokens-1',
  SubjectAccessReview: 'davit-access-1',
  ImagePolicy: 'davit-images-1',
});
const resource = (name: string) => ({ group: '', version: 'v1', resource: name });
const clientOf = (token: string): Client => apiClient({ handle: server.handle, token, userAgent: 'test' });

let server: Apiserver;
let amy: Client;
beforeEach(async () => {
  const options: ApiserverOptions = {
    store: new MemoryStore({ clock, retention: 3_600_000 }),
    clock,
    exclusive: true,
    cacheBytes: 64 * 1024 * 1024,
    serverAddress: 'localhost:443',
    tokens: new Map(),
    webhooks: {
      transport: { post: () => Promise.reject(new Error('nothing goes out')) },
      known,
      invoker: {
        async invoke(name, body) {
          const review = decodeJson(body).value;
          if (!isObject(review)) throw new Error('no review');
          return Buffer.from(
            encodeJson({ ...review, status: FUNCTIONS[name]?.(objectAt(review, 'spec')) } as JsonObject),
          );
        },
      },
    },
    reportFault: (_, error) => console.error(error),
  };
  server = buildApiserver(withReviews(options, reviewers));
  const own = clientOf(server.loopbackToken);
  await own.create(resource('namespaces'), { metadata: { name: 'default' } });
  await own.create(resource('serviceaccounts'), { metadata: { name: 'default', namespace: 'default' } });
  amy = clientOf('of-amy');
});
afterEach(() => server.close());

test('a function authenticates tokens', async () => {
  expect(await amy.list(resource('configmaps'))).toEqual([]);
  await expect(clientOf('of-bob').list(resource('configmaps'))).rejects.toThrow('Unauthorized');
});

test('a function allows requests that no role allows, and rejects others', async () => {
  await expect(amy.list(resource('secrets'))).rejects.toThrow('secrets is forbidden: User "amy" cannot list');
});

test('a function reviews images', async () => {
  const pod = (image: string) => ({
    metadata: { name: 'p', namespace: 'default' },
    spec: { containers: [{ name: 'c', image }] },
  });
  await expect(amy.create(resource('pods'), pod('bad:1'))).rejects.toThrow('a bad image');
  expect(await amy.create(resource('pods'), pod('good:1'))).toMatchObject({ metadata: { name: 'p' } });
});
