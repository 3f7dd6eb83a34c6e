import { expect, onTestFinished, test } from 'vitest';
import type { ListWatch, Page, WatchEvent, WatchFrom } from '#lib/client/list-watch.ts';
import { expired, serviceUnavailable } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { aborted } from '#lib/machinery/wait/on-abort.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { Reflector } from './reflector.ts';

const RESOURCE = { group: 'example.com', version: 'v1', resource: 'sites' };
const site = (name: string, resourceVersion: string, text = ''): JsonObject => ({
  kind: 'Site',
  metadata: { name, namespace: 'team', resourceVersion, managedFields: [{ manager: resourceVersion }] },
  text,
});
const page = (version: string, items: JsonObject[], next = ''): Page => ({ items, version, next });

/** The server's responses in order: a page or error for each list, the events and the end of each watch. */
interface Script {
  readonly lists: (Page | Error)[];
  readonly watches: { readonly events: WatchEvent[]; readonly end?: Error }[];
}

class Server implements ListWatch {
  readonly asked: string[] = [];
  readonly #script: Script;
  constructor(script: Script) {
    this.#script = script;
  }
  async list({ limit, next }: { limit: number; next: string }): Promise<Page> {
    this.asked.push(`list ${limit} ${next}`.trim());
    const step = this.#script.lists.shift();
    if (step === undefined) throw new TypeError('no list was expected');
    if (step instanceof Error) throw step;
    return step;
  }
  async *watch({ version, signal }: WatchFrom): AsyncGenerator<WatchEvent> {
    this.asked.push(`watch ${version}`);
    const { events, end } = this.#script.watches.shift() ?? { events: [] };
    yield* events;
    if (end !== undefined) throw end;
    if (this.#script.watches.length === 0) await aborted(signal);
  }
}

async function reflect(script: Script) {
  const clock = new ManualClock();
  const ending = new AbortController();
  const from = new Server(script);
  const [told, faults]: [string[], unknown[]] = [[], []];
  let listed = 0;
  const reflector = new Reflector({
    resource: RESOURCE,
    from,
    clock,
    random: () => 0,
    deliver: (change) => {
      const before = change.previous?.();
      told.push(
        `${change.type} ${nameOf(change.object())} ${String(before?.['text'] ?? '-')}>${change.object()['text']}`,
      );
    },
    listed: () => void listed++,
    onFault: (error) => faults.push(error),
    signal: ending.signal,
  });
  const running = reflector.run();
  onTestFinished(async () => (ending.abort(), running));
  const steps = async (times: number, milliseconds = 0): Promise<void> => {
    for (let i = 0; i < times; i++) {
      clock.advance(milliseconds);
      await settled(5);
    }
  };
  await steps(1);
  return { from, told, faults, reflector, steps, listedTimes: () => listed };
}

test('lists pages and watches from their version', async () => {
  const { from, told, reflector } = await reflect({
    lists: [page('9', [site('a', '1', 'x')], 'more'), page('9', [site('b', '2')])],
    watches: [
      {
        events: [
          { type: 'MODIFIED', object: site('a', '10', 'y') },
          { type: 'BOOKMARK', object: site('', '12') },
          { type: 'DELETED', object: site('b', '13') },
          { type: 'ADDED', object: site('c', '14') },
        ],
        end: serviceUnavailable('cut off'),
      },
    ],
  });
  expect(from.asked).toEqual(['list 500', 'list 500 more', 'watch 9']);
  expect(told).toEqual(['ADDED a ->x', 'ADDED b ->', 'MODIFIED a x>y', 'DELETED b >', 'ADDED c ->']);
  expect([...reflector.all()].map(({ type, name }) => `${type} ${name}`)).toEqual(['ADDED a', 'ADDED c']);
});

test('resumes a watch that ends or breaks, with backoff, and reports the error', async () => {
  const cut = serviceUnavailable('cut off');
  const { from, faults, steps } = await reflect({
    lists: [page('9', [])],
    watches: [
      { events: [{ type: 'BOOKMARK', object: site('', '20') }], end: cut },
      { events: [], end: cut },
      { events: [] },
      { events: [] },
    ],
  });
  expect(from.asked).toEqual(['list 500', 'watch 9']);
  await steps(1, 800);
  expect(from.asked.slice(2)).toEqual(['watch 20']);
  await steps(1, 800);
  expect(from.asked.slice(3)).toEqual([]);
  await steps(1, 800);
  expect(from.asked.slice(3)).toEqual(['watch 20']);
  expect(faults).toEqual([cut, cut]);
});

test('lists again if the version is too old, and delivers the differences', async () => {
  const { from, told, faults, steps, listedTimes } = await reflect({
    lists: [
      page('9', [site('same', '1'), site('other', '2', 'x'), site('gone', '3')]),
      page('50', [site('same', '40'), site('other', '41', 'y'), site('new', '42')]),
    ],
    watches: [{ events: [], end: expired('too old resource version') }, { events: [] }],
  });
  await steps(1, 800);
  expect(from.asked).toEqual(['list 500', 'watch 9', 'list 500', 'watch 50']);
  expect(told.slice(3)).toEqual(['MODIFIED same >', 'MODIFIED other x>y', 'ADDED new ->', 'DELETED gone ->']);
  expect([faults, listedTimes()]).toEqual([[], 2]);
});

test('lists without pages if paging took too long', async () => {
  const { from, told } = await reflect({
    lists: [
      page('9', [site('a', '1')], 'more'),
      expired('the token is too old'),
      page('11', [site('a', '1'), site('b', '2')]),
    ],
    watches: [{ events: [] }],
  });
  expect(from.asked).toEqual(['list 500', 'list 500 more', 'list 0', 'watch 11']);
  expect(told).toEqual(['ADDED a ->', 'ADDED b ->']);
});

test('retries a list that fails', async () => {
  const { from, faults, steps } = await reflect({
    lists: [serviceUnavailable('no'), page('9', [])],
    watches: [{ events: [] }],
  });
  await steps(1, 800);
  expect(from.asked).toEqual(['list 500', 'list 500', 'watch 9']);
  expect(faults).toHaveLength(1);
});
