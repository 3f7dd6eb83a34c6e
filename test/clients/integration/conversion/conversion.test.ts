import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { arrayAt, isObject, type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Answer, requester } from '#test/support/requester.ts';
import { aDefinition, GROUP, object, path } from './definition.ts';
import { answered, type Misbehaviour, send, WebhookServer } from './webhook-server.ts';

let server: RunningApiserver;
let hook: WebhookServer;
let ask: (method: string, path: string, body?: Json) => Promise<Answer>;
beforeAll(async () => {
  hook = await WebhookServer.start();
  const invoke = async (body: Uint8Array): Promise<Uint8Array> =>
    Buffer.from(JSON.stringify(answered(JSON.parse(Buffer.from(body).toString()) as JsonObject)));
  server = await startApiserver({
    functions: { find: ({ name }) => (name === 'function' ? { invoke } : undefined) },
  });
  ask = requester(server);
});
afterAll(async () => {
  await server.close();
  await hook[Symbol.asyncDispose]();
});
beforeEach(() => {
  hook.misbehave = undefined;
  hook.calls.length = 0;
});

async function ok(method: string, url: string, body?: Json): Promise<JsonObject> {
  const answer = await ask(method, url, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

let count = 0;
/** Creates a definition with this plural and waits until it is served. */
async function served(clientConfig?: JsonObject): Promise<string> {
  const plural = `things${count++}s`;
  const config = clientConfig ?? { url: `https://127.0.0.1:${hook.port}/convert`, caBundle: hook.caBundle };
  await ok('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', aDefinition(plural, config));
  for (let i = 0; i < 1000; i++) if ((await ask('GET', path(plural, 'v1'))).status === 200) return plural;
  throw new Error(`${plural} is not served`);
}

/** The lines of a watch as they arrive. Leaving the loop ends it. */
async function* watched(at: string): AsyncGenerator<string> {
  const headers = { authorization: `Bearer ${server.adminToken}` };
  const outgoing = httpsRequest(`${server.url}${at}`, { ca: server.certificateAuthority, headers }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  let rest = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

const itemsOf = (list: JsonObject): JsonObject[] => arrayAt(list, 'items').filter(isObject);
const specOf = (value: JsonObject): JsonObject | undefined => objectAt(value, 'spec');

describe('every path is converted', () => {
  test('create and get: converted both ways, pruned by the schema, with defaults of only the stored version', async () => {
    const plural = await served();
    const made = await ok('POST', path(plural, 'v2'), object(plural, 'v2', 'a'));
    expect(made).toMatchObject({ apiVersion: `${GROUP}/v2`, spec: { host: 'a', port: '80' } });
    expect(specOf(await ok('GET', path(plural, 'v1', 'a')))).toEqual({ hostPort: 'a:80' });
    expect(specOf(await ok('GET', path(plural, 'v2', 'a')))).toEqual({ host: 'a', port: '80' });
  });

  test('converts a list with one call, and with none the next time', async () => {
    const plural = await served();
    for (const name of ['a', 'b', 'c']) await ok('POST', path(plural, 'v1'), object(plural, 'v1', name));
    expect(hook.calls).toEqual([]);
    const list = await ok('GET', path(plural, 'v2'));
    expect(itemsOf(list).map(specOf)).toEqual(['a', 'b', 'c'].map((host) => ({ host, port: '80' })));
    expect(hook.calls).toEqual([3]);
    await ok('GET', path(plural, 'v2', 'b'));
    expect(hook.calls).toEqual([3]);
  });

  test('field selectors match the version of the request', async () => {
    const plural = await served();
    for (const name of ['a', 'b']) await ok('POST', path(plural, 'v1'), object(plural, 'v1', name));
    const list = await ok('GET', `${path(plural, 'v2')}?fieldSelector=spec.host=b&limit=1`);
    expect(itemsOf(list).map(specOf)).toEqual([{ host: 'b', port: '80' }]);
  });

  test('update, patch, status and scale', async () => {
    const plural = await served();
    const made = await ok('POST', path(plural, 'v1'), object(plural, 'v1', 'a'));
    const put = object(plural, 'v2', 'a', { metadata: objectAt(made, 'metadata') ?? {} });
    await ok('PUT', path(plural, 'v2', 'a'), { ...put, spec: { host: 'b', port: '81' } });
    expect(specOf(await ok('GET', path(plural, 'v1', 'a')))).toEqual({ hostPort: 'b:81' });
    await ok('PATCH', path(plural, 'v2', 'a'), { spec: { port: '82' } });
    expect(specOf(await ok('GET', path(plural, 'v1', 'a')))).toEqual({ hostPort: 'b:82' });
    await ok('PATCH', `${path(plural, 'v2', 'a')}/status`, { status: { note: 'seen' } });
    await ok('PATCH', `${path(plural, 'v2', 'a')}/scale`, { spec: { replicas: 5 } });
    const stored = await ok('GET', path(plural, 'v1', 'a'));
    expect(stored).toMatchObject({ spec: { hostPort: 'b:82', replicas: 5 }, status: { note: 'seen' } });
  });

  test('server-side apply: the owner of a field in one version loses it to an applier in another', async () => {
    const plural = await served();
    hook.misbehave = (response, answer) => {
      delete specOf(first(answer))?.['extra'];
      send(response, answer);
    };
    const apply = requester(server, { 'content-type': 'application/apply-patch+yaml' });
    const asV1 = { ...object(plural, 'v1', 'a'), spec: { hostPort: 'a:80' } };
    await apply('PATCH', `${path(plural, 'v1', 'a')}?fieldManager=one`, asV1);
    const asV2 = { ...object(plural, 'v2', 'a'), spec: { host: 'b', port: '80' } };
    const refused = await apply('PATCH', `${path(plural, 'v2', 'a')}?fieldManager=two`, asV2);
    expect([refused.status, refused.body['message']]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "one": .spec.hostPort',
    ]);
    const forced = await apply('PATCH', `${path(plural, 'v2', 'a')}?fieldManager=two&force=true`, asV2);
    const managers = arrayAt(objectAt(forced.body, 'metadata'), 'managedFields').filter(isObject);
    expect(managers.map(({ manager, apiVersion }) => [manager, apiVersion])).toEqual([['two', `${GROUP}/v2`]]);
  });

  test('a watch, with its initial events, changes and deletions', async () => {
    const plural = await served();
    await ok('POST', path(plural, 'v1'), object(plural, 'v1', 'a'));
    const seen: unknown[] = [];
    const changes = [
      () => ok('POST', path(plural, 'v1'), object(plural, 'v1', 'b')),
      () => ok('PATCH', path(plural, 'v1', 'b'), { spec: { hostPort: 'c:1' } }),
      () => ok('DELETE', path(plural, 'v1', 'b')),
    ];
    for await (const line of watched(`${path(plural, 'v2')}?watch=true`)) {
      const { type, object: value } = JSON.parse(line) as { type: string; object: JsonObject };
      seen.push([type, value['apiVersion'], specOf(value)]);
      const change = changes.shift();
      if (change === undefined) break;
      await change();
    }
    const v2 = `${GROUP}/v2`;
    expect(seen).toEqual([
      ['ADDED', v2, { host: 'a', port: '80' }],
      ['ADDED', v2, { host: 'b', port: '80' }],
      ['MODIFIED', v2, { host: 'c', port: '1' }],
      ['DELETED', v2, { host: 'c', port: '1' }],
    ]);
  });

  test('a Service is called at its endpoint, under its name', async () => {
    await ok('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'hook' },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    });
    const service = { namespace: 'default', name: 'hook', port: hook.port, path: '/convert' };
    const plural = await served({ service, caBundle: hook.caBundle });
    await ok('POST', path(plural, 'v1'), object(plural, 'v1', 'a'));
    expect(specOf(await ok('GET', path(plural, 'v2', 'a')))).toEqual({ host: 'a', port: '80' });
  });

  test('a function is called if it has the name of a Service', async () => {
    const plural = await served({ service: { namespace: 'default', name: 'function' } });
    await ok('POST', path(plural, 'v1'), object(plural, 'v1', 'a'));
    expect(specOf(await ok('GET', path(plural, 'v2', 'a')))).toEqual({ host: 'a', port: '80' });
    expect(hook.calls).toEqual([]);
  });
});

describe('the storage version', () => {
  test('may change: objects of the old one are read, and an update without a change writes them in the new one', async () => {
    const plural = await served();
    const made = await ok('POST', path(plural, 'v1'), object(plural, 'v1', 'a'));
    const name = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${GROUP}`;
    const crd = await ok('GET', name);
    const versions = arrayAt(objectAt(crd, 'spec'), 'versions').filter(isObject);
    for (const item of versions) item['storage'] = item['name'] === 'v2';
    const changed = await ok('PUT', name, crd);
    expect(objectAt(changed, 'status')?.['storedVersions']).toEqual(['v1', 'v2']);
    const read = await ok('GET', path(plural, 'v1', 'a'));
    expect(objectAt(read, 'metadata')?.['resourceVersion']).toBe(objectAt(made, 'metadata')?.['resourceVersion']);
    const written = await ok('PUT', path(plural, 'v1', 'a'), read);
    expect(objectAt(written, 'metadata')?.['resourceVersion']).not.toBe(
      objectAt(read, 'metadata')?.['resourceVersion'],
    );
    const again = await ok('PUT', path(plural, 'v1', 'a'), written);
    expect(again).toEqual(written);
    expect(specOf(again)).toEqual({ hostPort: 'a:80' });
  });
});

const prefix = (plural: string): string => `conversion webhook for ${GROUP}/v1, Kind=${plural}`;
const first = (answer: JsonObject): JsonObject =>
  arrayAt(objectAt(answer, 'response'), 'convertedObjects').find(isObject) ?? {};
const responseOf = (answer: JsonObject): JsonObject => objectAt(answer, 'response') ?? {};

describe('faults of a webhook', () => {
  const table: [string, Misbehaviour, string][] = [
    [
      'answers 500',
      (response) => response.writeHead(500, { 'content-type': 'text/plain' }).end('boom'),
      'failed: an error on the server ("boom") has prevented the request from succeeding',
    ],
    [
      'answers no JSON',
      (response) => response.end('hello'),
      "failed: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value",
    ],
    [
      'answers another kind',
      (response, answer) => send(response, { ...answer, kind: 'Other' }),
      'failed: no kind "Other" is registered for version "apiextensions.k8s.io/v1" in scheme',
    ],
    [
      'answers no kind',
      (response, answer) => send(response, { response: responseOf(answer) }),
      'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=',
    ],
    [
      'answers another review',
      (response, answer) => send(response, { ...answer, response: { ...responseOf(answer), uid: 'other' } }),
      'got "other"',
    ],
    [
      'answers without a response',
      (response, answer) => send(response, { ...answer, response: null }),
      'failed: no response provided',
    ],
    [
      'refuses with a message',
      (response, answer) =>
        send(response, {
          ...answer,
          response: {
            ...responseOf(answer),
            result: { status: 'Failure', message: 'custom webhook conversion error' },
          },
        }),
      'failed: custom webhook conversion error',
    ],
    [
      'refuses without a word',
      (response, answer) => send(response, { ...answer, response: { ...responseOf(answer), result: {} } }),
      "failed: response.result.status was '', not 'Success'",
    ],
    [
      'loses an object',
      (response, answer) => send(response, { ...answer, response: { ...responseOf(answer), convertedObjects: [] } }),
      'returned 0 objects, expected 1',
    ],
    [
      'converts to another version',
      (response, answer) => {
        first(answer)['apiVersion'] = `${GROUP}/v1`;
        send(response, answer);
      },
      `returned invalid object at index 0: invalid groupVersion (expected ${GROUP}/v2, received ${GROUP}/v1)`,
    ],
    [
      'converts to another kind',
      (response, answer) => {
        first(answer)['kind'] = 'Other';
        send(response, answer);
      },
      'returned invalid object at index 0: invalid kind (expected ',
    ],
    ...(['name', 'namespace', 'uid'] as const).map((field): [string, Misbehaviour, string] => [
      `changes the ${field}`,
      (response, answer) => {
        (objectAt(first(answer), 'metadata') ?? {})[field] = 'other';
        send(response, answer);
      },
      `returned invalid object: must have the same ${field === 'uid' ? 'UID' : field}: `,
    ]),
    [
      'drops the metadata',
      (response, answer) => {
        delete first(answer)['metadata'];
        send(response, answer);
      },
      'returned invalid object: must have the same name: a != ',
    ],
    [
      'sets labels that are none',
      (response, answer) => {
        (objectAt(first(answer), 'metadata') ?? {})['labels'] = { 'not a label': 'x' };
        send(response, answer);
      },
      'returned invalid metadata: metadata.labels: Invalid value: "not a label"',
    ],
  ];

  test.each(table)('are returned for every request: %s', async (_, misbehave, expected) => {
    const plural = await served();
    await ok('POST', path(plural, 'v1'), object(plural, 'v1', 'a'));
    hook.misbehave = misbehave;
    const { status, body } = await ask('GET', path(plural, 'v2', 'a'));
    expect([status, body['reason'], body['message']]).toEqual([500, undefined, expect.stringContaining(expected)]);
    expect(body['message']).toContain(prefix(plural));
    expect((await ask('GET', path(plural, 'v2'))).body['message']).toContain(expected);
    hook.misbehave = undefined;
    await ok('GET', path(plural, 'v2', 'a'));
  });

  test("a dry run returns the object in the reader's version", async () => {
    const plural = await served();
    const made = await ok('POST', `${path(plural, 'v2')}?dryRun=All`, object(plural, 'v2', 'a'));
    expect(specOf(made)).toEqual({ host: 'a', port: '80' });
    expect((await ask('GET', path(plural, 'v2', 'a'))).status).toBe(404);
  });

  test('every verb reports them', async () => {
    const plural = await served();
    await ok('POST', path(plural, 'v1'), object(plural, 'v1', 'a'));
    hook.misbehave = (response) => response.writeHead(400).end();
    const one = path(plural, 'v2', 'a');
    const requests: [string, string, JsonObject?][] = [
      ['GET', one],
      ['GET', path(plural, 'v2')],
      ['POST', path(plural, 'v2'), object(plural, 'v2', 'b')],
      ['PUT', one, object(plural, 'v2', 'a')],
      ['PATCH', one, {}],
      ['DELETE', one],
      ['DELETE', path(plural, 'v2')],
      ['GET', `${one}/status`],
      ['GET', `${one}/scale`],
    ];
    for (const [method, at, body] of requests) {
      const answer = await ask(method, at, body);
      expect(answer.body['message'], `${method} ${at}`).toContain(
        'the server rejected our request for an unknown reason',
      );
    }
  });

  test('ignores changes to metadata other than labels and annotations', async () => {
    const plural = await served();
    await ok('POST', path(plural, 'v1'), object(plural, 'v1', 'a'));
    hook.misbehave = (response, answer) => {
      const metadata = objectAt(first(answer), 'metadata') ?? {};
      Object.assign(metadata, { labels: { l: 'new' }, annotations: { a: 'new' }, finalizers: ['x/y'], generation: 7 });
      send(response, answer);
    };
    const metadata = objectAt(await ok('GET', path(plural, 'v2', 'a')), 'metadata') ?? {};
    expect(metadata).toMatchObject({ labels: { l: 'new' }, annotations: { a: 'new' }, generation: 1 });
    expect(metadata).not.toHaveProperty('finalizers');
  });
});

describe('a webhook that cannot be reached', () => {
  test('is named in an error with instructions, and soon without delay', async () => {
    const plural = await served({ url: 'https://127.0.0.1:1/convert', caBundle: hook.caBundle });
    await ok('POST', path(plural, 'v1'), object(plural, 'v1', 'a'));
    const messages: unknown[] = [];
    for (let i = 0; i < 4; i++) messages.push((await ask('GET', path(plural, 'v2', 'a'))).body['message']);
    const refused = `${prefix(plural)} failed: Post "https://127.0.0.1:1/convert?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused`;
    expect(messages.slice(0, 3)).toEqual([refused, refused, refused]);
    expect(messages[3]).toContain('not called: it did not answer 3 times in a row');
    await ok('GET', path(plural, 'v1', 'a'));
  });

  test('because its certificate has another authority', async () => {
    const caBundle = Buffer.from(server.certificateAuthority).toString('base64');
    const plural = await served({ url: `https://127.0.0.1:${hook.port}/convert`, caBundle });
    await ok('POST', path(plural, 'v1'), object(plural, 'v1', 'a'));
    const { body } = await ask('GET', path(plural, 'v2', 'a'));
    expect(body['message']).toContain('x509: certificate signed by unknown authority');
  });

  test('because its Service does not exist', async () => {
    const plural = await served({ service: { namespace: 'default', name: 'absent' }, caBundle: hook.caBundle });
    await ok('POST', path(plural, 'v1'), object(plural, 'v1', 'a'));
    const { body } = await ask('GET', path(plural, 'v2', 'a'));
    expect(body['message']).toBe(
      `${prefix(plural)} failed: Post "https://absent.default.svc:443/?timeout=30s": service "absent" not found`,
    );
  });
});
