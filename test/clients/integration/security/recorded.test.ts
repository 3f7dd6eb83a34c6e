import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { eventually } from '#test/support/eventually.ts';
import { requester } from '#test/support/requester.ts';
import { skipUnless } from '#test/support/skip.ts';
import { exchanged } from './exchange.ts';

const fixtures = process.env['DAVIT_FIXTURES'];

interface Row {
  readonly setup?: string;
  readonly method?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly json?: JsonObject;
  readonly answer: {
    readonly code: number;
    readonly type: string | null;
    readonly warnings: string[];
    readonly body?: Json;
  };
}

const rows: readonly Row[] =
  fixtures === undefined
    ? []
    : gunzipSync(readFileSync(join(fixtures, 'corpus/protocol.jsonl.gz')))
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row);

/** Reviews, and requests as another user or without a user. */
const isOfAccess = ({ method, path, headers }: Row): boolean =>
  method !== undefined &&
  (/^.apis.auth(oriz|entic)ation|.token$/.test(path) ||
    Object.keys(headers).some((name) => name === 'anonymous' || name.startsWith('Impersonate-')));

let server: RunningApiserver;
beforeAll(async () => {
  server = await startApiserver();
  const admin = requester(server);
  for (const { setup, json = {} } of rows) if (setup !== undefined) await admin('POST', setup, json);
  const things = '/apis/proto.example.com/v1/namespaces/proto/things';
  if (rows.length > 0) await eventually(async () => expect((await admin('GET', things)).status).toBe(200));
});
afterAll(() => server.close());

/** Fields that differ between servers: their names, times and versions. */
const OWN: ReadonlySet<string> = new Set(['uid', 'creationTimestamp', 'managedFields', 'resourceVersion', 'time']);

function comparable(value: Json): Json {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !OWN.has(key));
  return Object.fromEntries(kept.map(([key, part]) => [key, comparable(part)]));
}

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
};

const asked = rows.filter(isOfAccess);
const named = asked.map((row, i): [string, Row] => [`${i}: ${row.method} ${row.path}`, row]);

test('the recording is not empty', skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'), () =>
  expect(asked.length).toBeGreaterThan(30),
);

test.each(named)('%s has the recorded response', async (_, { method = '', path, headers, json, answer }) => {
  const { anonymous, ...shown } = headers;
  const own = anonymous === undefined ? { authorization: `Bearer ${server.adminToken}` } : {};
  const {
    status,
    headers: told,
    body,
  } = await exchanged(server, path, {
    method,
    headers: { ...own, ...(shown as Record<string, string>) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const { code, type, warnings, body: expected } = answer;
  const warned = told['warning'] === undefined ? [] : [told['warning']].flat();
  expect([status, told['content-type'] ?? null, warned]).toEqual([code, type, warnings]);
  const isOwn = path === '/version' || path === '/api';
  if (expected !== undefined && !isOwn) expect(comparable(parsed(body))).toEqual(comparable(expected));
});
