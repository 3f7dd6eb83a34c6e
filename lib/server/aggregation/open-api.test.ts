import { expect, test } from 'vitest';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { eventually } from '#test/support/eventually.ts';
import type { AskPorts } from './ask.ts';
import { remoteDocuments } from './open-api.ts';
import { remoteSpecs } from './open-api-v2.ts';
import { anAnswer, answering, aRemote } from './testing.ts';

const PATH = 'apis/wardle.example.com/v1';
const index = (paths: unknown): string => JSON.stringify({ paths });
const handler = async () => ({ status: 200, headers: {}, body: '' });
const documentsOf = (asks: AskPorts) => remoteDocuments({ asks, specs: remoteSpecs(asks), handlerOf: () => handler });

test.each<[string, string, string[]]>([
  [
    'the document of its version',
    index({ [PATH]: { serverRelativeURL: `/openapi/v3/${PATH}?hash=1` } }),
    [`/openapi/v3/${PATH}?hash=1`],
  ],
  ['no other document', index({ version: { serverRelativeURL: '/openapi/v3/version' } }), []],
  ['no document elsewhere', index({ [PATH]: { serverRelativeURL: 'https://example.com/' } }), []],
  ['nothing if its index is invalid', '{"paths":1}', []],
])('lists for a server %s', async (_, body, expected) => {
  const documents = documentsOf(answering(new ManualClock(), () => anAnswer(200, body)));
  expect((await documents([aRemote()])).map(({ serverRelativeURL }) => serverRelativeURL)).toEqual(expected);
});

test('requests again after a minute, and keeps the document of a server that is down', async () => {
  const clock = new ManualClock();
  const answers = [anAnswer(200, index({ [PATH]: { serverRelativeURL: `/openapi/v3/${PATH}` } }))];
  const ports = answering(clock, () => answers.shift() ?? Promise.reject(new TransportError('EOF')));
  const documents = documentsOf(ports);
  const remote = [aRemote()];
  expect(await documents(remote)).toHaveLength(1);
  clock.advance(59_999);
  expect(await documents(remote)).toHaveLength(1);
  expect(ports.sent).toHaveLength(1);
  clock.advance(1);
  expect(await documents(remote)).toHaveLength(1);
  await eventually(() => expect(ports.sent.length).toBe(2));
  expect(await documents(remote)).toHaveLength(1);
  expect(await documents([])).toEqual([]);
});

test('makes all first callers wait for the response', async () => {
  const ports = answering(new ManualClock(), () =>
    anAnswer(200, index({ [PATH]: { serverRelativeURL: `/openapi/v3/${PATH}` } })),
  );
  const documents = documentsOf(ports);
  const remote = [aRemote()];
  const both = await Promise.all([documents(remote), documents(remote)]);
  expect(both.map(({ length }) => length)).toEqual([1, 1]);
  expect(ports.sent).toHaveLength(1);
});

test('converts the document of a server that only has OpenAPI v2', async () => {
  const swagger = {
    paths: { [`/${PATH}/flunders`]: { get: { responses: { '200': { description: 'OK' } } } }, '/version/': {} },
    definitions: { Flunder: { type: 'object' } },
  };
  const ports = answering(new ManualClock(), ({ path }) =>
    path === '/openapi/v2' ? anAnswer(200, JSON.stringify(swagger), { etag: '"1"' }) : anAnswer(404),
  );
  const [found] = await documentsOf(ports)([aRemote()]);
  expect(found?.serverRelativeURL).toMatch(new RegExp(`^/openapi/v3/${PATH}\\?hash=[0-9A-F]{128}$`));
  const answer = await found?.handle(aRequestContext());
  expect(JSON.parse(String(answer?.body))).toMatchObject({
    openapi: '3.0.0',
    paths: { [`/${PATH}/flunders`]: { get: { responses: { '200': { description: 'OK' } } } } },
    components: { schemas: { Flunder: { type: 'object' } } },
  });
});
