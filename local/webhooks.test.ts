import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { defineConversion } from '#lib/sdk/webhook-sdk/define-conversion.ts';
import { defineImagePolicy } from '#lib/sdk/webhook-sdk/define-image-policy.ts';
import { defineMutating } from '#lib/sdk/webhook-sdk/define-mutating.ts';
import { defineSubjectAccessReview } from '#lib/sdk/webhook-sdk/define-subject-access-review.ts';
import { defineTokenReview } from '#lib/sdk/webhook-sdk/define-token-review.ts';
import { defineValidating } from '#lib/sdk/webhook-sdk/define-validating.ts';
import { denied } from '#lib/sdk/webhook-sdk/denied.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}
interface Site extends KubernetesObject {
  readonly spec: { readonly host?: string; readonly hosts?: readonly string[] };
}

const rules = [{ operations: ['CREATE' as const], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
const version = (name: string, storage: boolean) => ({
  name,
  storage,
  served: true,
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
});
const DEFINITION = {
  metadata: { name: 'sites.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'sites', kind: 'Site' },
    versions: [version('v1', false), version('v2', true)],
  },
};

const webhooks = [
  defineMutating<ConfigMap>({ name: 'greet', rules }, (config, { warn }) => {
    if (config.data?.['quiet'] === 'yes') return undefined;
    warn('a greeting was added');
    return { ...config, data: { ...config.data, greeting: 'hello' } };
  }),
  defineValidating<ConfigMap>({ name: 'polite', rules }, ({ data, metadata }, { request }) => {
    if (data?.['greeting'] === 'go away') throw denied(`${request.userInfo.username}: be polite in ${metadata.name}`);
    if (data?.['broken'] === 'yes') throw new TypeError('out of order');
  }),
  defineConversion({ name: 'sites', definition: 'sites.example.com' }, (object, desired) => {
    const { spec } = object as unknown as Site;
    const converted = desired.endsWith('v2') ? { hosts: [spec.host ?? ''] } : { host: spec.hosts?.[0] ?? '' };
    return { ...object, spec: converted };
  }),
  defineTokenReview({ name: 'tokens' }, ({ token }) =>
    token === 'open-sesame' ? { username: 'ali', groups: ['thieves'] } : undefined,
  ),
  defineSubjectAccessReview({ name: 'access' }, ({ groups, resourceAttributes }) =>
    groups?.includes('thieves') === true && resourceAttributes?.verb === 'list' ? { allowed: true } : undefined,
  ),
  defineImagePolicy({ name: 'images' }, ({ containers = [] }) => {
    if (containers.some(({ image = '' }) => image.includes('evil'))) throw denied('no evil images');
  }),
];

let server: RunningApiserver;
let send: Requester;
const HERE = '/api/v1/namespaces/default';

beforeAll(async () => {
  server = await startApiserver({ webhooks });
  send = requester(server);
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', DEFINITION);
  await eventually(async () =>
    expect((await send('GET', `${GROUP}/validatingwebhookconfigurations/polite.webhooks.davit.dev`)).status).toBe(200),
  );
  await eventually(async () => {
    const { body } = await send('GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/sites.example.com');
    return objectAt(objectAt(body, 'spec'), 'conversion')?.['strategy'] === 'Webhook';
  });
});
afterAll(() => server.close());

const GROUP = '/apis/admissionregistration.k8s.io/v1';

const make = (name: string, data: Record<string, string> = {}, path = HERE) =>
  send('POST', `${path}/configmaps`, { metadata: { name }, data });

test('stores the object of a mutating webhook, and passes on its warning', async () => {
  const { status, body, warnings } = await make('one', { a: '1' });
  expect([status, body['data']]).toEqual([201, { a: '1', greeting: 'hello' }]);
  expect(warnings.join()).toContain('a greeting was added');
  expect((await make('two', { quiet: 'yes' })).body['data']).toEqual({ quiet: 'yes' });
});

test('rejects with the message of a validating webhook, and handles its error by its failure policy', async () => {
  const { status, body } = await make('rude', { quiet: 'yes', greeting: 'go away' });
  expect([status, body['message']]).toEqual([
    403,
    'admission webhook "polite.webhooks.davit.dev" denied the request: admin: be polite in rude',
  ]);
  const broken = await make('broken', { broken: 'yes' });
  expect([broken.status, broken.body['message']]).toEqual([500, expect.stringContaining('out of order')]);
});

test('calls no webhook for the namespace of the functions', async () => {
  expect((await make('own', { greeting: 'go away' }, '/api/v1/namespaces/davit-system')).status).toBe(201);
});

test('restores a configuration that a user deletes', async () => {
  const path = `${GROUP}/mutatingwebhookconfigurations/greet.webhooks.davit.dev`;
  await send('DELETE', path);
  await eventually(async () => expect((await send('GET', path)).status).toBe(200));
});

test('converts objects between versions', async () => {
  const path = (at: string): string => `/apis/example.com/${at}/namespaces/default/sites`;
  const site = { apiVersion: 'example.com/v1', kind: 'Site', metadata: { name: 's' }, spec: { host: 'a' } };
  expect((await send('POST', path('v1'), site)).body['spec']).toEqual({ host: 'a' });
  expect((await send('GET', `${path('v2')}/s`)).body['spec']).toEqual({ hosts: ['a'] });
});

test('authenticates a token that one webhook knows, and authorizes it with another', async () => {
  const ali = requester(server, { authorization: 'Bearer open-sesame' });
  expect((await ali('GET', `${HERE}/configmaps`)).status).toBe(200);
  const refused = await ali('DELETE', `${HERE}/configmaps/one`);
  expect([refused.status, refused.body['message']]).toEqual([403, expect.stringContaining('"ali"')]);
  expect((await requester(server, { authorization: 'Bearer other' })('GET', HERE)).status).toBe(401);
});

test('reviews images with a webhook', async () => {
  const pod = (image: string) => ({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image }] } });
  const { status, body } = await send('POST', `${HERE}/pods?dryRun=All`, pod('evil:1'));
  expect([status, body['message']]).toEqual([403, expect.stringContaining('no evil images')]);
  expect(String((await send('POST', `${HERE}/pods?dryRun=All`, pod('good:1'))).body['message'])).not.toContain('image');
});

test.each<[string, object, string]>([
  ['a name that is none', { name: 'No', rules }, 'name: must be a DNS label'],
  ['no rules', { name: 'x', rules: [] }, 'rules: '],
  ['a field that is not known', { name: 'x', rules, port: 1 }, '"port"'],
])('rejects a declaration with %s', (_, definition, message) => {
  expect(() => defineValidating(definition as Parameters<typeof defineValidating>[0], () => {})).toThrow(message);
});

test('rejects a review of another kind', async () => {
  const [mutating] = webhooks;
  const context = { log: { info() {}, error() {} }, signal: new AbortController().signal };
  await expect(mutating?.respond({ kind: 'TokenReview' }, context)).rejects.toThrow(/review: .*apiVersion/);
});
