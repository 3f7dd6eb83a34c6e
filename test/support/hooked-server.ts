import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Answer, type Requester, requester } from '#test/support/requester.ts';

export type Answering = (request: JsonObject) => JsonObject;

/** The response of each webhook by name, and the reviews that all webhooks received, in order. */
export const answers = new Map<string, Answering>();
export let asked: { readonly name: string; readonly request: JsonObject; readonly review: JsonObject }[] = [];

let server: RunningApiserver;
export let request: Requester;
export let registered: string[] = [];
export const HERE = '/api/v1/namespaces/here';
export const GROUP = '/apis/admissionregistration.k8s.io/v1';

/** One server for a file's tests. Registrations, responses and recorded reviews are reset before each test. */
export function useHookedServer(): void {
  beforeAll(async () => {
    const find = ({ name }: { readonly name: string }) => ({ invoke: async (body: Uint8Array) => invoke(name, body) });
    server = await startApiserver({ controllers: false, functions: { find } });
    request = requester(server);
    registered = [];
    await made('/api/v1/namespaces', { metadata: { name: 'here', labels: { team: 'a' } } });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    for (const path of registered) await request('DELETE', path);
    registered = [];
    answers.clear();
    asked = [];
  });
}

function invoke(name: string, body: Uint8Array): Uint8Array {
  const review = JSON.parse(Buffer.from(body).toString()) as JsonObject;
  const wanted = objectAt(review, 'request') ?? {};
  asked.push({ name, request: wanted, review });
  const response = answers.get(name)?.(wanted) ?? { allowed: true };
  const whole = { apiVersion: review['apiVersion'] ?? null, kind: 'AdmissionReview', response };
  return Buffer.from(JSON.stringify({ ...whole, response: { uid: wanted['uid'] ?? null, ...response } }));
}

export async function made(path: string, object: JsonObject): Promise<JsonObject> {
  const { status, body } = await request('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
  return body;
}

export const CONFIG_MAPS = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };

export const aHook = (name: string, more: JsonObject = {}): JsonObject => ({
  name: `${name}.example.com`,
  clientConfig: { service: { namespace: 'hooks', name } },
  rules: [CONFIG_MAPS],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...more,
});

export async function register(
  kind: 'mutating' | 'validating',
  name: string,
  ...webhooks: JsonObject[]
): Promise<void> {
  await made(`${GROUP}/${kind}webhookconfigurations`, { metadata: { name }, webhooks });
  registered.push(`${GROUP}/${kind}webhookconfigurations/${name}`);
}

export const patching =
  (...operations: Json[]): Answering =>
  () => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  });

export const adding = (key: string, value = 'yes'): Answering => patching({ op: 'add', path: `/data/${key}`, value });
export const aMap = (name: string, more: JsonObject = {}): JsonObject => ({
  metadata: { name },
  data: { a: 'b' },
  ...more,
});
export const create = (object: JsonObject, query = ''): Promise<Answer> =>
  request('POST', `${HERE}/configmaps${query}`, object);
export const said = ({ status, body }: Answer): string => `${status} ${String(body['message'] ?? '')}`;
export const names = (): string[] => asked.map(({ name }) => name);
