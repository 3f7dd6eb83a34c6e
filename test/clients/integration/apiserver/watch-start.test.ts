import { afterEach, beforeEach, expect, test } from 'vitest';
import { settled } from '#test/support/settled.ts';
import { events } from './events.ts';
import { json } from './front-door.ts';
import { inProcess } from './in-process.ts';
import { metadataOf, versionOf } from './kinds.ts';

const PATH = '/api/v1/namespaces/default/secrets';

let door: Awaited<ReturnType<typeof inProcess>>;
const version: Record<string, string> = { zero: '0' };
beforeEach(async () => {
  door = await inProcess();
  await make('/api/v1/namespaces', 'Namespace', 'default');
  await make(PATH, 'Secret', 'a');
  version['before'] = await make(PATH, 'Secret', 'b');
  version['last'] = await make(PATH, 'Secret', 'c');
});
afterEach(() => door.close());

async function make(path: string, kind: string, name: string): Promise<string> {
  return versionOf(
    json(await door.send({ method: 'POST', path, body: { apiVersion: 'v1', kind, metadata: { name } } })),
  );
}

/** The events of a watch for a, b and c, and for d, which is created while it runs. `|` is the bookmark that ends the initial events. */
test.each([
  ['none', undefined, 'a b c d'],
  ['zero', undefined, 'a b c d'],
  ['before', undefined, 'c d'],
  ['last', undefined, 'd'],
  ['none', true, 'a b c | d'],
  ['zero', true, 'a b c | d'],
  ['before', true, 'a b c | d'],
  ['last', true, 'a b c | d'],
  ['none', false, 'd'],
  ['zero', false, 'd'],
  ['before', false, 'c d'],
  ['last', false, 'd'],
])('a watch from %s, sendInitialEvents %s, shows %s', async (at, initial, shown) => {
  const query = new URLSearchParams({ watch: '1', allowWatchBookmarks: 'true' });
  if (at !== 'none') query.set('resourceVersion', version[at] ?? '');
  if (initial !== undefined) {
    query.set('sendInitialEvents', String(initial));
    query.set('resourceVersionMatch', 'NotOlderThan');
  }
  const stream = await door.stream({ path: `${PATH}?${query.toString()}` });
  const found = events(stream, shown.split(' ').length);
  await settled();
  const made = await make(PATH, 'Secret', 'd');
  const told = (await found).map(({ type, object }) => {
    const metadata = metadataOf(object);
    if (type !== 'BOOKMARK') return metadata['name'];
    expect(metadata).toMatchObject({
      resourceVersion: version['last'],
      annotations: { 'k8s.io/initial-events-end': 'true' },
    });
    return '|';
  });
  expect(told.join(' ')).toBe(shown);
  expect(Number(made)).toBeGreaterThan(Number(version['last']));
});
