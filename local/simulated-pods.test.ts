import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

const HERE = '/api/v1/namespaces/default';
const NO_CONNECTION =
  'no connection to pod "default/web": its node "simulated-0" is simulated, and no container runs on it; ' +
  'run the pod on a real node, or start the program yourself and name its host in a Service of type ExternalName';
const service = { namespace: 'default', name: 'web', port: 443, path: '/' };
const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];

let server: RunningApiserver;
let send: Requester;
const dialled: string[] = [];

beforeAll(async () => {
  const dialer = {
    dial: async ({ host, port }: { readonly host: string; readonly port: number }) => {
      dialled.push(`${host}:${port}`);
      throw new TransportError('dialled');
    },
  };
  server = await startApiserver({ simulatedNodes: 1, kubelet: { dialer } });
  send = requester(server);
  await made(`${HERE}/services`, {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 443, targetPort: 8443 }] },
  });
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  await eventually(async () => expect((await send('GET', `${HERE}/serviceaccounts/default`)).status).toBe(200));
  await made(`${HERE}/pods`, { metadata: { name: 'web', labels: { app: 'web' } }, spec });
  await eventually(async () => {
    const { body } = await send('GET', `${HERE}/endpoints/web`);
    return body['subsets'] !== undefined;
  });
});
afterAll(() => server.close());

async function made(path: string, object: JsonObject): Promise<void> {
  const { status, body } = await send('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
}

async function messageAt(method: string, path: string, object?: JsonObject): Promise<string> {
  const { status, body } = await send(method, path, object);
  return `${status} ${String(body['message'] ?? body['text'])}`;
}

test.each(['pods/web/proxy/', 'pods/web:8443/proxy/', 'pods/https:web:8443/proxy/', 'services/web:443/proxy/'])(
  '%s does not dial a pod of a simulated node',
  async (path) => {
    expect(await messageAt('GET', `${HERE}/${path}`)).toBe(`503 ${NO_CONNECTION}`);
    expect(dialled).toEqual([]);
  },
);

test('a webhook behind a Service does not dial a pod of a simulated node', async () => {
  const hook = { sideEffects: 'None', admissionReviewVersions: ['v1'], clientConfig: { service } };
  const webhooks = [{ name: 'hook.example.com', rules, timeoutSeconds: 2, ...hook }];
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  await made(path, { metadata: { name: 'hook' }, webhooks });
  const config = { metadata: { name: 'c' } };
  const call = 'failed to call webhook: Post "https://web.default.svc:443/?timeout=2s"';
  const failed = `failed calling webhook "hook.example.com": ${call}: ${NO_CONNECTION}`;
  await eventually(async () => (await messageAt('POST', `${HERE}/configmaps?dryRun=All`, config)).startsWith('500'));
  expect(await messageAt('POST', `${HERE}/configmaps`, config)).toBe(`500 Internal error occurred: ${failed}`);
});

test('an aggregated API behind a Service does not dial a pod of a simulated node', async () => {
  const { path: _, ...reference } = service;
  await made('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1.wardle.example.com' },
    spec: {
      group: 'wardle.example.com',
      version: 'v1',
      service: reference,
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 1000,
      versionPriority: 10,
    },
  });
  const list = '/apis/wardle.example.com/v1/flunders';
  await eventually(async () => (await messageAt('GET', list)).startsWith('503'));
  const stored = '/apis/apiregistration.k8s.io/v1/apiservices/v1.wardle.example.com';
  await eventually(async () => expect(JSON.stringify((await send('GET', stored)).body)).toContain('simulated'));
  expect(await messageAt('GET', list)).toContain('503');
  expect(dialled).toEqual([]);
});
