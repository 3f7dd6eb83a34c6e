import { afterAll, beforeAll, expect, test } from 'vitest';
import { at } from '#lib/machinery/unstructured.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Requester, requester } from '#test/support/requester.ts';

const HERE = '/api/v1/namespaces/here';
const FOO = 'example.com/foo';
let server: RunningApiserver;
let request: Requester;

beforeAll(async () => {
  server = await startApiserver({ controllers: false });
  request = requester(server);
  await request('POST', '/api/v1/namespaces', { metadata: { name: 'here' } });
  await request('POST', `${HERE}/serviceaccounts`, { metadata: { name: 'default' } });
  await request('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
  await request('PATCH', '/api/v1/nodes/n1/status', {
    status: { capacity: { [FOO]: '2' }, allocatable: { [FOO]: '2' } },
  });
});
afterAll(() => server.close());

test("binds a pod without checking the node's capacity: the node rejects it (docs/adr/0005)", async () => {
  const amount = { [FOO]: '2' };
  const resources = { requests: amount, limits: amount };
  for (const name of ['one', 'two']) {
    const spec = { containers: [{ name: 'c', image: 'i', resources }] };
    expect((await request('POST', `${HERE}/pods`, { metadata: { name }, spec })).status).toBe(201);
  }
  const bind = (name: string) =>
    request('POST', `${HERE}/pods/${name}/binding`, { metadata: { name }, target: { kind: 'Node', name: 'n1' } });
  expect((await Promise.all([bind('one'), bind('two')])).map(({ status }) => status)).toEqual([201, 201]);
  for (const name of ['one', 'two']) {
    const { body } = await request('GET', `${HERE}/pods/${name}`);
    expect([at(body, 'spec')?.['nodeName'], at(body, 'status')?.['phase']]).toEqual(['n1', 'Pending']);
  }
});
