import { expect, test } from 'vitest';
import { specObject } from '#lib/api/openapi/spec.ts';
import type { BackendRequest, BackendResponse } from '#lib/server/channel/round-tripper.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { eventually } from '#test/support/eventually.ts';
import { inMergeOrder, remoteSpecs } from './open-api-v2.ts';
import { anAnswer, answering, aRemote } from './testing.ts';

const HERE = '/apis/wardle.example.com/v1/flunders';
const swagger = (description: string): string =>
  JSON.stringify({
    swagger: '2.0',
    paths: { [HERE]: { get: { description } }, '/apis/apps/v1/deployments': {}, '/version/': {} },
    definitions: {},
  });
const minute = 60_000;

const specsOf = (send: (request: BackendRequest) => BackendResponse | Promise<BackendResponse>) => {
  const clock = new ManualClock();
  const ports = answering(clock, send);
  const specs = remoteSpecs(ports);
  const remote = [aRemote()];
  return { clock, sent: ports.sent, ask: async () => (await specs(remote))[0] };
};
/** Returns the response after the next, which a background request has refreshed. */
const refreshed = async (of: ReturnType<typeof specsOf>, times: number) => {
  of.clock.advance(minute);
  await of.ask();
  await eventually(() => expect(of.sent.length).toBe(times));
  return of.ask();
};

test('keeps only the paths of the group version', async () => {
  const { ask, sent } = specsOf(() => anAnswer(200, swagger('a'), { etag: '"1"' }));
  const found = await ask();
  expect(found).toMatchObject({ group: 'wardle.example.com', version: 'v1', etag: '"1"' });
  expect(found && specObject(found.spec())).toEqual({
    paths: { [HERE]: { get: { description: 'a' } } },
    definitions: {},
    parameters: {},
  });
  expect(sent[0]).toMatchObject({ path: '/openapi/v2', headers: { accept: 'application/json' } });
  expect(sent[0]?.headers).toMatchObject({ 'x-remote-user': 'system:aggregator' });
});

test('requests again after a minute with the ETag, and keeps an unchanged document', async () => {
  const answers = [anAnswer(200, swagger('a'), { etag: '"1"' }), anAnswer(304)];
  const of = specsOf(() => answers.shift() ?? anAnswer(200, swagger('b'), { etag: '"2"' }));
  const first = await of.ask();
  expect(await of.ask()).toBe(first);
  expect(await refreshed(of, 2)).toBe(first);
  expect(of.sent[1]?.headers['if-none-match']).toBe('"1"');
  await refreshed(of, 3);
  await eventually(async () => expect((await of.ask())?.etag).toBe('"2"'));
});

test('computes an ETag for a server without one, and does not send it', async () => {
  const of = specsOf(() => anAnswer(200, swagger('a')));
  const first = await of.ask();
  expect(first?.etag).toMatch(/^"[0-9a-f]{128}"$/);
  expect(await refreshed(of, 2)).toBe(first);
  expect(of.sent[1]?.headers).not.toHaveProperty('if-none-match');
});

test.each<[string, () => BackendResponse | Promise<BackendResponse>]>([
  ['has no document', () => anAnswer(404)],
  ['is down', () => Promise.reject(new TransportError('EOF'))],
  ['returns invalid JSON', () => anAnswer(200, '<html>')],
  ['returns a list', () => anAnswer(200, '[]')],
  ['returns 304 without a known document', () => anAnswer(304)],
])('ignores a server that %s', async (_, send) => {
  expect(await specsOf(send).ask()).toBeUndefined();
});

test('keeps the document of a server that goes down later', async () => {
  const answers = [anAnswer(200, swagger('a'), { etag: '"1"' })];
  const of = specsOf(() => answers.shift() ?? Promise.reject(new TransportError('EOF')));
  await of.ask();
  expect((await refreshed(of, 2))?.etag).toBe('"1"');
});

test('merges groups by priority, and versions of a group by name', () => {
  const remote = (name: string, group: string, groupPriorityMinimum: number) =>
    aRemote({ name, group, groupPriorityMinimum });
  const all = [remote('v2.a', 'a', 1), remote('v1.b', 'b', 5), remote('v1.a', 'a', 9), remote('v1.c', 'c', 5)];
  expect(inMergeOrder(all).map(({ name }) => name)).toEqual(['v1.a', 'v2.a', 'v1.b', 'v1.c']);
});
