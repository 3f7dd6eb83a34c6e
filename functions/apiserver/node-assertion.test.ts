import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { functionUrlRequest } from '#adapters/aws/lambda/function-url.ts';
import { restRequest } from '#adapters/aws/lambda/rest.ts';
import { answered, functionUrlEvent, type Received, restEvent, type Sent } from '#adapters/aws/lambda/testing.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { authorityOf } from '#lib/controllers/certificates/issue.ts';
import { keptSigner } from '#lib/controllers/certificates/kept-signer.ts';
import { digestOf } from '#lib/server/authentication/node-assertion/claims.ts';
import { type NodeKeyPair, signedAssertion } from '#lib/server/authentication/node-assertion/sign.ts';
import { parseQuery } from '#lib/server/endpoints/parse-query.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { configOf } from './config.ts';
import { openPlatform } from './platform.ts';
import type { Apiserver } from './wiring.ts';

const HOST = 'abc.lambda-url.eu-west-1.on.aws';
const REALM = 'davit-node-realm';
const ADMIN = 'token-of-admin';
const NODES = '/api/v1/nodes';
const NODE = Buffer.from(JSON.stringify({ metadata: { name: 'n1' } }));
let server: Apiserver;
let pair: NodeKeyPair;
const lines: string[] = [];

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const config = configOf({
    DAVIT_TABLE: 'davit',
    DAVIT_CLUSTER_ID: 'prod',
    DAVIT_ADMIN: 'arn:aws:iam::123456789012:role/Admin',
    DAVIT_OPTIONS: '/nowhere/apiserver.json',
  });
  const users = new Map([[ADMIN, { name: 'admin', groups: ['system:masters'] }]]);
  const platform = await openPlatform(config, `${HOST}:443`, users, { table: new MemoryTable() });
  server = platform.server;
  const authority = authorityOf(await keptSigner(platform.secret, new Date()), new Date());
  pair = await authority.issue({ name: 'system:node:n1', organizations: ['system:nodes'] });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await server.close();
});

const doors: Readonly<Record<string, (sent: Sent) => Promise<Received>>> = {
  'function-url': (sent) =>
    answered(
      { toRequest: functionUrlRequest, handle: server.handle, vouched: () => undefined },
      functionUrlEvent(sent),
    ),
  rest: (sent) =>
    answered({ toRequest: restRequest, handle: server.handle, vouched: () => undefined }, restEvent(sent)),
};

interface Request extends Sent {
  /** The body that is signed, if it differs from the body that is sent. */
  readonly signs?: Uint8Array;
}

/** A request that the node n1 has signed. */
function signed({
  method = 'GET',
  target,
  body = new Uint8Array(),
  signs = body,
  headers = [],
  ...more
}: Request): Sent {
  const [path = '', query = ''] = target.split('?');
  const unsigned = { method, path, query: parseQuery(query), body: signs };
  const token = signedAssertion(pair, unsigned, { cluster: 'prod', host: HOST, now: Date.now() });
  const sent: Sent['headers'] = [
    ...headers,
    ['authorization', `Bearer ${token}`],
    ['content-type', 'application/json'],
  ];
  return { method, target, ...more, ...(body.length === 0 ? {} : { body }), headers: sent };
}

describe.each(Object.entries(doors))('a server behind %s', (_, ask) => {
  test('returns the cluster to sign for only to rejected requests without a valid identity', async () => {
    const bare = await ask({ target: NODES });
    expect([bare.status, bare.headers[REALM]]).toEqual([403, 'prod']);
    const wrong = await ask({ target: NODES, headers: [['authorization', 'Bearer x']] });
    expect([wrong.status, wrong.headers[REALM]]).toEqual([401, 'prod']);
    const known = await ask(signed({ target: '/api/v1/secrets' }));
    expect([known.status, known.headers[REALM]]).toEqual([403, undefined]);
    const open = await ask({ target: '/version' });
    expect([open.status, open.headers[REALM]]).toEqual([200, undefined]);
  });

  test('rejects every request whose body was not signed', async () => {
    for (const body of [Buffer.from('{"metadata":{"name":"n1","labels":{"a":"b"}}}'), Buffer.from('{'), undefined]) {
      const sent = signed({ method: 'POST', target: NODES, signs: NODE, ...(body && { body }) });
      const { status, body: answer } = await ask(sent);
      expect([status, JSON.parse(answer.toString())]).toMatchObject([401, { message: 'Unauthorized' }]);
    }
    const client = apiClient({ handle: server.handle, token: ADMIN, userAgent: 'test' });
    const resource = { group: '', version: 'v1', resource: 'nodes' };
    expect(await client.get({ resource, namespace: '', name: 'n1' })).toBeUndefined();
  });

  test("authenticates a signed request as its node, with a node's permissions", async () => {
    const made = await ask(signed({ method: 'POST', target: `${NODES}?fieldManager=a%20b&dryRun=All`, body: NODE }));
    expect([made.status, made.body.toString()]).toEqual([201, expect.stringContaining('"n1"')]);
    const other = Buffer.from(JSON.stringify({ metadata: { name: 'n2' } }));
    expect((await ask(signed({ method: 'POST', target: NODES, body: other }))).status).toBe(403);
    const pods = '/api/v1/pods?fieldSelector=spec.nodeName%3Dn1&resourceVersion=0';
    expect((await ask(signed({ target: pods }))).status).toBe(200);
    expect(
      (await ask({ ...signed({ target: pods }), target: '/api/v1/pods?fieldSelector=spec.nodeName%3Dn2' })).status,
    ).toBe(401);
  });

  test('ignores an assertion inside a review', async () => {
    const token = signed({ target: NODES })
      .headers?.find(([name]) => name === 'authorization')?.[1]
      .slice(7);
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
    const { body } = await ask({
      method: 'POST',
      target: '/apis/authentication.k8s.io/v1/tokenreviews',
      headers: [
        ['authorization', `Bearer ${ADMIN}`],
        ['content-type', 'application/json'],
      ],
      body: Buffer.from(JSON.stringify(review)),
    });
    expect(JSON.parse(body.toString())).toMatchObject({ status: { user: {}, error: expect.any(String) } });
  });
});

test('logs no assertion', () => {
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.includes('eyJ0eXAi') || line.includes(digestOf(NODE)))).toEqual([]);
});
