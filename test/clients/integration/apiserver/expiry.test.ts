import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { RETENTION } from '#test/support/server-in-process.ts';
import { events } from './events.ts';
import { json } from './front-door.ts';
import { inProcess } from './in-process.ts';
import { metadataOf, versionOf } from './kinds.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const MINUTE = 60_000;

let clock: ManualClock;
let door: Awaited<ReturnType<typeof inProcess>>;
beforeEach(async () => {
  clock = new ManualClock();
  door = await inProcess(clock);
  await make('/api/v1/namespaces', 'Namespace', 'default');
  for (const name of ['a', 'b', 'c']) await make(PATH, 'ConfigMap', name);
});
afterEach(() => door.close());

async function make(path: string, kind: string, name: string): Promise<JsonObject> {
  return json(await door.send({ method: 'POST', path, body: { apiVersion: 'v1', kind, metadata: { name } } }));
}
const list = async (query: string): Promise<JsonObject> => json(await door.send({ path: `${PATH}?${query}` }));
const names = (found: JsonObject): unknown[] =>
  (found['items'] as JsonObject[]).map((item) => metadataOf(item)['name']);
const tokenOf = (found: JsonObject): string => encodeURIComponent(String(metadataOf(found)['continue']));

describe('a continue token', () => {
  test('lists its version for five minutes', async () => {
    const first = await list('limit=1');
    await make(PATH, 'ConfigMap', 'bb');
    clock.advance(5 * MINUTE);
    const rest = await list(`continue=${tokenOf(first)}`);
    expect(names(rest)).toEqual(['b', 'c']);
    expect(versionOf(rest)).toBe(versionOf(first));
  });

  test('expires then, with a token that continues at the present state', async () => {
    const first = await list('limit=1');
    await make(PATH, 'ConfigMap', 'bb');
    clock.advance(5 * MINUTE + 1);
    const expired = await list(`limit=1&continue=${tokenOf(first)}`);
    expect(expired).toMatchObject({
      code: 410,
      reason: 'Expired',
      message: expect.stringMatching(/^The provided continue parameter is too old /),
    });
    const next = await list(`limit=1&continue=${tokenOf(expired)}`);
    expect(names(next)).toEqual(['b']);
    expect(Number(versionOf(next))).toBeGreaterThan(Number(versionOf(first)));
    expect(names(await list(`continue=${tokenOf(next)}`))).toEqual(['bb', 'c']);
  });
});

describe('versions older than the retention', () => {
  /** A version that has expired in the log and in every cache. */
  async function forgotten(): Promise<string> {
    const old = versionOf(await list(''));
    await make(PATH, 'ConfigMap', 'd');
    await door.compact();
    clock.advance(2 * RETENTION);
    await make(PATH, 'ConfigMap', 'e');
    await door.compact();
    clock.advance(2 * RETENTION);
    await door.compact();
    return old;
  }

  test('end a watch as expired', async () => {
    const old = await forgotten();
    const [event] = await events(await door.stream({ path: `${PATH}?watch=1&resourceVersion=${old}` }), 1);
    expect(event).toMatchObject({
      type: 'ERROR',
      object: {
        kind: 'Status',
        code: 410,
        reason: 'Expired',
        message: expect.stringMatching(/^too old resource version: /),
      },
    });
  });

  test('return 410 for an exact list', async () => {
    const answer = await list(`resourceVersion=${await forgotten()}&resourceVersionMatch=Exact`);
    expect(answer).toMatchObject({ code: 410, reason: 'Expired' });
  });

  test('still allow a list of any newer state', async () => {
    const found = await list(`resourceVersion=${await forgotten()}`);
    expect(names(found)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});
