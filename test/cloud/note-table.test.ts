import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { CreateTableCommand, DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { eventually } from '#test/support/eventually.ts';
import { credentials, region, startMinistack } from '#test/support/ministack/start.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { needing } from '#test/support/skip.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/aggregated-api');
const NOTES = '/apis/notes.example.com/v1/namespaces/default/notes';
const ministack = await startMinistack();

interface Listed {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly { readonly metadata: { readonly name: string; readonly resourceVersion: string } }[];
}

/** Two servers run the example. Like instances of a function, they share only the table. */
describe('notes in a table of DynamoDB', needing(ministack), () => {
  const endpoint = 'endpoint' in ministack ? ministack.endpoint : '';
  const client = new DynamoDBClient({ endpoint, region, credentials });
  /** The environment that the platform sets for a function. */
  const environment = {
    AWS_LAMBDA_FUNCTION_NAME: 'notes',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  let servers: RunningApiserver[];
  let here: Requester;
  let there: Requester;

  beforeAll(async () => {
    await client.send(
      new CreateTableCommand({
        TableName: 'notes',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      }),
    );
    Object.assign(process.env, environment);
    const start = () => startApiserver({ functionsFolder: EXAMPLE, controllers: [], scheduler: false });
    servers = await Promise.all([start(), start()]);
    [here, there] = servers.map((one) => requester(one)) as [Requester, Requester];
    for (const send of [here, there]) await eventually(async () => expect((await send('GET', NOTES)).status).toBe(200));
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    for (const name of Object.keys(environment)) delete process.env[name];
    client.destroy();
    if ('stop' in ministack) await ministack.stop();
  });

  const create = (send: Requester, name: string, text = name) =>
    send('POST', NOTES, { metadata: { name }, spec: { text } });
  const list = async (query = '') => (await there('GET', `${NOTES}${query}`)).body as unknown as Listed;
  const names = ({ items }: Listed) => items.map(({ metadata }) => metadata.name);

  async function watching(from: string) {
    const [, server] = servers as [RunningApiserver, RunningApiserver];
    const headers = { authorization: `Bearer ${server.adminToken}` };
    const query = `watch=true&resourceVersion=${from}&timeoutSeconds=60`;
    const opened = request(`${server.url}${NOTES}?${query}`, { ca: server.certificateAuthority, headers });
    opened.end();
    const [response] = (await once(opened, 'response')) as [IncomingMessage];
    let text = '';
    response.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    const events = () =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { type: string; object: { metadata?: { name: string }; code?: number } })
        .map(({ type, object }) => `${type} ${object.metadata?.name ?? object.code}`);
    return { events, end: () => opened.destroy() };
  }

  test('an instance sees what another has written, by pages too', async () => {
    for (const name of ['c', 'a', 'b']) expect((await create(here, name)).status).toBe(201);
    expect((await create(there, 'a')).status).toBe(409);
    expect(names(await list())).toEqual(['a', 'b', 'c']);
    const first = await list('?limit=2');
    expect(names(first)).toEqual(['a', 'b']);
    expect(names(await list(`?limit=2&continue=${encodeURIComponent(first.metadata.continue ?? '')}`))).toEqual(['c']);
  });

  test('a write of an older state is a conflict, and patches of both instances all count', async () => {
    const { body: note } = await here('GET', `${NOTES}/a`);
    expect((await there('PATCH', `${NOTES}/a`, { spec: { text: 'newer' } })).status).toBe(200);
    expect((await here('PUT', `${NOTES}/a`, { ...note, spec: { text: 'older' } })).status).toBe(409);
    const patches = [here, there, here, there].map((send, i) =>
      send('PATCH', `${NOTES}/b`, { metadata: { labels: { [`l${i}`]: 'x' } } }),
    );
    expect((await Promise.all(patches)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await here('GET', `${NOTES}/b`)).body['metadata']).toMatchObject({
      labels: { l0: 'x', l1: 'x', l2: 'x', l3: 'x' },
    });
  });

  test('a watch receives the writes of another instance in order, and resumes', async () => {
    const { metadata } = await list();
    const first = await watching(metadata.resourceVersion);
    await create(here, 'd');
    await here('PATCH', `${NOTES}/d`, { spec: { text: 'again' } });
    await here('DELETE', `${NOTES}/d`);
    const all = ['ADDED d', 'MODIFIED d', 'DELETED d'];
    await eventually(
      () => first.events().length >= 3,
      () => first.events().join(),
    );
    expect(first.events()).toEqual(all);
    first.end();
    const resumed = await watching(String(Number(metadata.resourceVersion) + 1));
    await eventually(() => expect(resumed.events().length).toBeGreaterThanOrEqual(2));
    expect(resumed.events()).toEqual(all.slice(1));
    resumed.end();
  });

  test('a watch from an expired version receives the error', async () => {
    const { metadata } = await list();
    const gone = Number(metadata.resourceVersion);
    const sk = { S: String(gone).padStart(16, '0') };
    await client.send(new DeleteItemCommand({ TableName: 'notes', Key: { pk: { S: 'change' }, sk } }));
    const watch = await watching(String(gone - 1));
    await eventually(() => expect(watch.events().length).toBeGreaterThan(0));
    expect(watch.events()).toEqual(['ERROR 410']);
    watch.end();
  });
});
