import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { DataDirectory, DavitProcess, startMain } from './davit-process.ts';
import { KillWriter, stageOf } from './kill-writer.ts';

interface ConfigMapList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly { metadata: { name: string; resourceVersion: string }; data: Record<string, string> }[];
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const WRITERS = 8;
/** `npm run test:full` kills more often. */
const KILLS = process.env['DAVIT_FULL'] === undefined ? { plain: 8, encrypted: 3 } : { plain: 20, encrypted: 5 };

const ENCRYPTION = `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: ['*.*'], providers: [aesgcm: {keys: [{name: k, secret: ${Buffer.alloc(32, 1).toString('base64')}}]}]}]}`;

test.each([
  ['as they are', KILLS.plain],
  ['encrypted', KILLS.encrypted],
])('kill -9 in the middle of writes, stored %s, loses no acknowledged write, %i times', async (stored, kills) => {
  using directory = new DataDirectory();
  const encryption = join(directory.path, 'encryption.yaml');
  await writeFile(encryption, ENCRYPTION);
  const flags = stored === 'encrypted' ? ['--encryption-provider-config', encryption] : [];
  const writers: KillWriter[] = [];
  const ready: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    await using davit = await DavitProcess.start(directory.path, 0, flags);
    ready.push(davit.readyAfter);
    await expectKept(davit, writers);
    const fresh = Array.from({ length: WRITERS }, (_, index) => new KillWriter(`kill-${kill}-${index}`));
    writers.push(...fresh);
    using api = davit.connect();
    const writing = fresh.map((writer) => writer.write(api));
    await Promise.race([eventually(() => fresh.every(({ acknowledged }) => acknowledged >= 3)), ...writing]);
    await sleep((kill * 37) % 200);
    await davit.program.ended('SIGKILL');
    await Promise.all(writing);
  }
  await using davit = await DavitProcess.start(directory.path, 0, flags);
  await expectKept(davit, writers);
  const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
  console.log(`${acknowledged} writes acknowledged over ${kills} kills; ready after ${ready.join(', ')} ms`);
});

/** Expects that every acknowledged object exists with its content, and no other object exists. */
async function expectKept(davit: DavitProcess, writers: readonly KillWriter[]): Promise<void> {
  using api = davit.connect();
  const { items } = await api.json<ConfigMapList>('GET', CONFIG_MAPS);
  const found = new Map(items.map((item) => [item.metadata.name, stageOf(item)]));
  found.delete('kube-root-ca.crt');
  const wrong: string[] = [];
  for (const { expected } of writers) {
    for (const [name, stages] of expected) {
      if (!stages.has(found.get(name))) wrong.push(`${name} is ${found.get(name)}, not ${[...stages].join(' or ')}`);
      found.delete(name);
    }
  }
  expect({ wrong, unexpected: [...found.keys()] }).toEqual({ wrong: [], unexpected: [] });
}

interface Event {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name?: string; readonly resourceVersion: string } };
}

/** No controller writes secrets here. The config map `kube-root-ca.crt`, in contrast, is written some time after the start. */
const SECRETS = '/api/v1/namespaces/default/secrets';

/** Lines on standard error, except those about the stop and about slow requests on a busy machine. */
const complaints = (stderr: string): string[] =>
  stderr
    .split('\n')
    .filter(
      (line) =>
        line !== '' && !/^\{"timestamp":"[^"]+","level":"info","message":"(request|stopping|stopped)"/.test(line),
    );

test('SIGTERM ends watches cleanly, with a bookmark on demand, from which the next server continues', async () => {
  using directory = new DataDirectory();
  const port = await freePort();
  const events: Event[] = [];
  let plain: Event[] = [];
  {
    await using davit = await DavitProcess.start(directory.path, port);
    using api = davit.connect();
    const { metadata } = await api.json<{ metadata: { resourceVersion: string } }>('GET', SECRETS);
    const watch = `${SECRETS}?watch=1&resourceVersion=${metadata.resourceVersion}`;
    const plainly = collect(api.lines(watch), []);
    const following = collect(api.lines(`${watch}&allowWatchBookmarks=true`), events);
    await api.json('POST', SECRETS, { metadata: { name: 'before' } });
    await eventually(() => events.some(({ object }) => object.metadata.name === 'before'));
    const { code } = await davit.program.ended('SIGTERM');
    plain = await plainly;
    await following;
    expect([code, complaints(davit.program.stderr)]).toEqual([0, []]);
  }
  expect(plain.map(({ type }) => type)).toEqual(['ADDED']);
  expect(events.at(-1)?.type).toBe('BOOKMARK');
  await using davit = await DavitProcess.start(directory.path, port);
  using api = davit.connect();
  await api.json('POST', SECRETS, { metadata: { name: 'after' } });
  const version = events.at(-1)?.object.metadata.resourceVersion;
  const resumed = await collect(api.lines(`${SECRETS}?watch=1&resourceVersion=${version}&timeoutSeconds=1`), []);
  expect(resumed.map(({ type, object }) => [type, object.metadata.name])).toEqual([['ADDED', 'after']]);
});

async function collect(lines: AsyncIterable<string>, into: Event[]): Promise<Event[]> {
  for await (const line of lines) into.push(JSON.parse(line) as Event);
  return into;
}

test('rejects a second start on the same data in one line', async () => {
  using directory = new DataDirectory();
  await using davit = await DavitProcess.start(directory.path);
  await using second = startMain(['--port', '0', '--data-dir', directory.path]);
  const { code, stdout, stderr } = await second.ended();
  expect([code === 0, stdout]).toEqual([false, '']);
  expect(stderr).toMatch(/^davit: .+ is in use by another davit \(process \d+\); .+--data-dir\n$/);
  expect(stderr).toContain(String(davit.program.child.pid));
  using api = davit.connect();
  expect((await api.send('GET', '/readyz')).text).toBe('ok');
});

test('rejects a second start on the same port in one line, and leaves its data directory unlocked', async () => {
  using directory = new DataDirectory();
  using other = new DataDirectory();
  await using davit = await DavitProcess.start(directory.path);
  await using second = startMain(['--port', String(davit.port), '--data-dir', other.path]);
  const { code, stdout, stderr } = await second.ended();
  expect([code === 0, stdout]).toEqual([false, '']);
  expect(stderr).toBe(
    `davit: 127.0.0.1:${davit.port} is in use; stop what listens there, or choose another with --port\n`,
  );
  await using third = await DavitProcess.start(other.path);
  expect(third.readyAfter).toBeGreaterThan(0);
});
