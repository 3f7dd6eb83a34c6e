import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { functionUrlRequest } from '#adapters/aws/lambda/function-url.ts';
import { restRequest } from '#adapters/aws/lambda/rest.ts';
import { answered, functionUrlEvent, type Received, restEvent, type Sent } from '#adapters/aws/lambda/testing.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { overriding } from '#lib/storage/cache/builders.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { Sequence, SequenceStore } from '#lib/storage/sequence.ts';
import { type Apiserver, buildApiserver } from './wiring.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const JSON_TYPE = 'application/json';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const AS = (kind: string): string => `${JSON_TYPE};as=${kind};v=v1;g=meta.k8s.io`;
const GZIP = ['accept-encoding', 'gzip'] as const;

const clock = new ManualClock();
let memory: MemoryStore;
/** Calls of the store for the objects of lists. */
let calls: { extents: number; snapshots: number };
let extent: Sequence['extent'] | undefined;
const servers: Apiserver[] = [];
const faults: unknown[] = [];

/** The store. It counts config maps, and can report a different extent for them. */
const watched = (): SequenceStore => {
  const opened = new Map<string, Sequence>();
  const sequence = (name: string): Sequence => {
    const inner = memory.sequence(name);
    if (name !== 'main//configmaps') return inner;
    const known =
      opened.get(name) ??
      overriding(inner, {
        snapshot: (options) => {
          calls.snapshots += 1;
          return inner.snapshot(options);
        },
        extent: (prefix) => {
          calls.extents += 1;
          return (extent ?? ((of) => inner.extent(of)))(prefix);
        },
      });
    opened.set(name, known);
    return known;
  };
  return { sequence, names: () => memory.names(), close: () => memory.close() };
};

/** An empty server with a front door that forwards up to this many bytes. */
function aServer(maxBytes: number): Apiserver {
  const server = buildApiserver({
    store: watched(),
    clock,
    exclusive: false,
    cacheBytes: 64 * 1024 * 1024,
    serverAddress: 'localhost:443',
    tokens: new Map([['admin', { name: 'admin', groups: [SYSTEM_MASTERS] }]]),
    lists: { maxBytes },
    reportFault: (_, error) => faults.push(error),
  });
  servers.push(server);
  return server;
}

const vouched = (): undefined => undefined;
type Send = (server: Apiserver, sent: Sent) => Promise<Received>;
const functionUrl: Send = (server, sent) =>
  answered({ toRequest: functionUrlRequest, handle: server.handle, vouched }, functionUrlEvent(sent));
const rest: Send = (server, sent) =>
  answered({ toRequest: restRequest, handle: server.handle, vouched }, restEvent(sent));

const ADMIN = ['authorization', 'Bearer admin'] as const;
async function create(target: string, object: object): Promise<void> {
  const headers = [ADMIN, ['content-type', JSON_TYPE]] as const;
  const body = Buffer.from(JSON.stringify(object));
  expect((await functionUrl(aServer(1), { method: 'POST', target, headers, body })).status).toBe(201);
}

/** A config map of 600 KB. Metadata is a third of it, and half of the metadata compresses well. */
const aMap = (name: string) => ({
  metadata: { name, labels: { name }, annotations: { noise: randomBytes(100_000).toString('hex') } },
  data: { text: 'x'.repeat(400_000) },
});

beforeEach(async () => {
  memory = new MemoryStore({ clock, retention: 3_600_000 });
  extent = undefined;
  calls = { extents: 0, snapshots: 0 };
  await create('/api/v1/namespaces', { metadata: { name: 'default' } });
  for (let i = 0; i < 3; i++) await create(MAPS, aMap(`m${i}`));
  await memory.sequence('main//configmaps').compact();
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  expect(faults).toEqual([]);
});

type Form = readonly [form: string, accept: string, query: string, more: NonNullable<Sent['headers']>];
const AS_JSON: Form = ['JSON', JSON_TYPE, '', []];
const TABLE: Form = ['a table', AS('Table'), '', []];
const COMPRESSED: Form = ['JSON, compressed', JSON_TYPE, '', [GZIP]];
const FORMS: readonly Form[] = [
  AS_JSON,
  ['indented JSON', JSON_TYPE, '?pretty=true', []],
  ['metadata', AS('PartialObjectMetadataList'), '', []],
  TABLE,
  ['a table of whole objects', AS('Table'), '?includeObject=Object', []],
  ['protobuf', PROTOBUF, '', []],
  ['metadata in protobuf', `${PROTOBUF};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`, '', []],
  ['a page', JSON_TYPE, '?limit=2', []],
  ['what a selector chooses', JSON_TYPE, '?labelSelector=name!=m1', []],
  ['what another selector chooses', JSON_TYPE, '?fieldSelector=metadata.name!=m1', []],
  COMPRESSED,
  ['a table, compressed', AS('Table'), '', [GZIP]],
  ['protobuf, compressed', PROTOBUF, '', [GZIP]],
];

const ask = (server: Apiserver, [, accept, query, more]: Form, send: Send = functionUrl): Promise<Received> =>
  send(server, { target: MAPS + query, headers: [ADMIN, ['accept', accept], ...more] });

/** Describes the response in one line: its status, and its bytes or its error. */
async function shown(answer: Promise<Received>): Promise<string> {
  const { status, body } = await answer;
  return status === 200 ? `200 ${body.toString('latin1')}` : `${status} ${body.toString('latin1')}`;
}

const tooLong = (allowed: number, isGzipped: boolean): RegExp =>
  new RegExp(
    `^413 .*limit is ${allowed} bytes in one answer: list in smaller pages by .?"limit.?"${isGzipped ? '' : ', or accept gzip'}`,
    's',
  );

describe.each(FORMS)('a list as %s', (...form) => {
  const isGzipped = form[3].length === 1;
  /** Tolerance in bytes. The size of compressed protobuf is counted with its parts in a different order. */
  const slack = isGzipped && form[1] === PROTOBUF ? 200 : 0;

  test.each([
    ['that its environment reads first', () => undefined],
    ['whose objects an older program stored', () => async () => undefined],
  ])('returns %s if it just fits, and 413 with one byte less', async (_, other) => {
    extent = other();
    const { status, body } = await ask(aServer(1e9), form);
    expect([status, body.length > 100_000]).toEqual([200, true]);
    const enough = body.length + slack;
    expect(await shown(ask(aServer(enough), form))).toBe(`200 ${body.toString('latin1')}`);
    const few = body.length - 1 - slack;
    expect(await shown(ask(aServer(few), form))).toMatch(tooLong(few, isGzipped));
  });

  test('returns 413 again if the objects are cached', async () => {
    const server = aServer(100_000);
    for (let i = 0; i < 4; i++) expect(await shown(ask(server, form))).toMatch(tooLong(100_000, isGzipped));
    expect(await shown(ask(server, form, rest))).toMatch(tooLong(100_000, isGzipped));
  });
});

test('reads a short list once, without a query for its size', async () => {
  await ask(aServer(200_000_000), AS_JSON);
  await ask(aServer(200_000_000), TABLE);
  expect(calls).toEqual({ extents: 0, snapshots: 2 });
});

test('a counted list has the state of its version, despite concurrent writes', async () => {
  const { body } = await ask(aServer(1e9), COMPRESSED);
  extent = async () => {
    await create(MAPS, aMap('m1-new'));
    return undefined;
  };
  const server = aServer(body.length);
  expect(await shown(ask(server, COMPRESSED))).toBe(`200 ${body.toString('latin1')}`);
  extent = undefined;
  expect(await shown(ask(server, COMPRESSED))).toMatch(tooLong(body.length, true));
});

test("returns the store's error if the size cannot be read", async () => {
  extent = () => Promise.reject(new Error('gone'));
  expect((await ask(aServer(1_000_000), AS_JSON)).status).toBe(500);
  expect(faults.splice(0)).toHaveLength(1);
});
