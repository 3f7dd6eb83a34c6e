import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { FollowedState, FollowedType } from '#lib/channel/look.ts';
import { concernsNode } from '#lib/channel/ring-pod.ts';
import type { ListWatch, Page, WatchEvent, WatchFrom } from '#lib/client/list-watch.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import type { HeardRings } from './heard-rings.ts';
import type { Looks } from './looks.ts';

/**
 * A ListWatch whose watch holds no connection: when a look shows another state of the type, it lists again and tells the difference.
 * Changes between two lists are told as one. `heard` is told of those that the node should have been rung for.
 */
export function lookingListWatch(
  looks: Pick<Looks, 'listen' | 'lookNow'>,
  type: FollowedType,
  inner: ListWatch,
  heard: Pick<HeardRings, 'found'>,
): ListWatch {
  const seen = new Map<string, Seen>();
  const told: Told = { seen, version: 0 };
  return {
    async list(options) {
      const page = await inner.list(options);
      if (options.next === '') seen.clear();
      for (const item of page.items) seen.set(keyOf(item), seenOf(type, item));
      told.version = Number(page.version);
      return page;
    },
    watch: (from) => watched({ looks, type, inner, told, heard }, from),
  };
}

/** An object as it was told last. */
interface Seen {
  readonly version: string;
  /** Of a pod: which of its changes rings depends on what it was before. */
  readonly pod?: Pod;
}

const seenOf = (type: FollowedType, object: JsonObject): Seen => ({
  version: resourceVersionOf(object),
  ...(type === 'pods' && { pod: typedObject(PODS, object) }),
});

/** Whether the change of an object rings: of a pod not every one does. */
const rings = ({ pod: before }: Seen, { pod: now }: Seen): boolean =>
  before === undefined || now === undefined || concernsNode(now, before);

/** The state that lists and events have told so far. */
interface Told {
  /** The objects, by `namespace/name`. */
  readonly seen: Map<string, Seen>;
  /** The version that the objects are at least as new as. */
  version: number;
}

interface Looked {
  readonly looks: Pick<Looks, 'listen' | 'lookNow'>;
  readonly heard: Pick<HeardRings, 'found'>;
  readonly type: FollowedType;
  readonly inner: ListWatch;
  readonly told: Told;
}

async function* watched(
  { looks, heard, type, inner, told }: Looked,
  { signal }: WatchFrom,
): AsyncGenerator<WatchEvent> {
  const shown = new Latest();
  const leave = looks.listen(type, (state) => shown.put(state));
  const stop = (): void => shown.end();
  signal.addEventListener('abort', stop, { once: true });
  looks.lookNow(); // a change since the list may be there
  try {
    for await (const state of shown) {
      if (Number(state.version) <= told.version) continue;
      if (state.objects !== undefined && equal(state.objects, versionsOf(told.seen))) continue;
      const page = await listed(inner);
      const { events, isRung } = differences(type, page, told.seen);
      if (isRung) heard.found(type, told.version);
      yield* events;
      told.version = Number(page.version);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    leave();
  }
}

async function listed(inner: ListWatch): Promise<Page> {
  const items: JsonObject[] = [];
  for (let next = ''; ; ) {
    const page = await inner.list({ limit: 500, next });
    items.push(...page.items);
    next = page.next;
    if (next === '') return { ...page, items };
  }
}

interface Differences {
  readonly events: readonly WatchEvent[];
  /** Whether one of them should have rung. */
  readonly isRung: boolean;
}

function differences(type: FollowedType, { items, version }: Page, seen: Map<string, Seen>): Differences {
  const gone = new Set(seen.keys());
  const events: WatchEvent[] = [];
  let isRung = false;
  for (const object of items) {
    const key = keyOf(object);
    gone.delete(key);
    const [before, now] = [seen.get(key), seenOf(type, object)];
    seen.set(key, now);
    if (before?.version === now.version) continue;
    events.push({ type: before === undefined ? 'ADDED' : 'MODIFIED', object });
    isRung ||= before === undefined || rings(before, now);
  }
  for (const key of gone) {
    seen.delete(key);
    const [namespace = '', name = ''] = key.split('/');
    events.push({ type: 'DELETED', object: { metadata: { namespace, name, resourceVersion: version } } });
  }
  return { events, isRung: isRung || gone.size > 0 };
}

const versionsOf = (seen: ReadonlyMap<string, Seen>): Record<string, string> =>
  Object.fromEntries(Array.from(seen, ([key, { version }]) => [key, version]));

const keyOf = (object: JsonObject): string => `${namespaceOf(object)}/${nameOf(object)}`;

/** States one after the other, of which a reader that is late gets the newest alone. */
class Latest implements AsyncIterable<FollowedState> {
  #state: FollowedState | undefined;
  #isOver = false;
  #wake: () => void = () => undefined;

  put(state: FollowedState): void {
    this.#state = state;
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FollowedState> {
    while (!this.#isOver) {
      const state = this.#state;
      this.#state = undefined;
      if (state === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
      else yield state;
    }
  }
}
