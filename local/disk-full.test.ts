import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { smallDisk } from '#test/support/small-disk.ts';
import { startApiserver } from './start-apiserver.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MEBIBYTE = 1024 * 1024;
const BODY = 'x'.repeat(300_000);

const aMap = (name: string, data: string = BODY) => ({ metadata: { name }, data: { data } });

/** Writes until a write is rejected. Returns the acknowledged names and the error. */
async function fill(ask: Requester): Promise<{ names: string[]; refusal: JsonObject; status: number }> {
  const names: string[] = [];
  for (let i = 0; ; i++) {
    const { status, body } = await ask('POST', MAPS, aMap(`map-${i}`));
    if (status !== 201) return { names, refusal: body, status };
    names.push(`map-${i}`);
  }
}

async function namesOf(ask: Requester): Promise<string[]> {
  const { items } = (await ask('GET', MAPS)).body as unknown as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name).sort();
}

test('rejects writes with a clear reason on a full disk, and accepts them again when there is space', async (context) => {
  using disk = smallDisk(48 * MEBIBYTE);
  if (disk === undefined) return context.skip('mounting a file system takes root');
  const dataDirectory = join(disk.path, 'data');
  const faults: unknown[] = [];
  const start = () =>
    startApiserver({ dataDirectory, controllers: false, reportFault: (_, error) => faults.push(error) });
  let acknowledged: string[] = [];
  {
    await using server = await start();
    const ask = requester(server);
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
    const ballast = join(disk.path, 'ballast');
    const { bavail, bsize } = statfsSync(disk.path);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize));

    const { names, refusal, status } = await fill(ask);
    expect(names.length).toBeGreaterThan(10);
    const message = 'the disk is full: nothing was written; try again when it has space';
    expect([status, refusal]).toMatchObject([
      503,
      { reason: 'ServiceUnavailable', message, details: { retryAfterSeconds: 5 } },
    ]);
    expect(await namesOf(ask)).toEqual([...names].sort());
    const large = await Promise.all([1, 2, 3].map((i) => ask('POST', MAPS, aMap(`together-${i}`))));
    expect(large.map((answer) => answer.status)).toEqual([503, 503, 503]);

    const small: string[] = [];
    for (let i = 0; ; i++) {
      if ((await ask('POST', MAPS, aMap(`small-${i}`, ''))).status !== 201) break;
      small.push(`small-${i}`);
    }
    const ready = await ask('GET', '/readyz?verbose');
    expect([ready.status, ready.body]).toMatchObject([500, { text: expect.stringContaining('[-]disk failed') }]);
    const detail = await ask('GET', '/readyz/disk');
    expect(detail.body['text']).toBe(
      `internal server error: ${message} (${statfsSync(disk.path).bavail * bsize} bytes are free in ${dataDirectory})\n`,
    );
    expect((await ask('GET', '/livez')).status).toBe(200);

    rmSync(ballast);
    expect((await ask('GET', '/readyz')).status).toBe(200);
    const after = await ask('POST', MAPS, aMap('after'));
    expect(after.status).toBe(201);
    expect(objectAt(after.body, 'metadata')?.['name']).toBe('after');
    acknowledged = [...names, ...small, 'after'].sort();
    expect(await namesOf(ask)).toEqual(acknowledged);
  }
  await using server = await start();
  expect(await namesOf(requester(server))).toEqual(acknowledged);
});
