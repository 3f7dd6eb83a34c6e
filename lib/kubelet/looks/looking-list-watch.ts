import type { FollowedState, FollowedType } from '#lib/channel/look.ts';
import type { ListWatch, Page, WatchEvent, WatchFrom } from '#lib/client/list-watch.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import type { Looks } from './looks.ts';

/**
 * A ListWatch whose watch holds no connection: when a look shows another state of the type, it lists again and tells the difference.
 * Changes between two lists are told as one.
 */
export function lookingListWatch(
  looks: Pick<Looks, 'listen' | 'ring'>,
  type: FollowedType,
  inner: ListWatch,
): ListWatch {
  const seen = new Map<string, string>();
  const told: Told = { seen, version: 0 };
  return {
    async list(options) {
      const page = await inner.list(options);
      if (options.next === '') seen.clear();
      for (const item of page.items) seen.set(keyOf(item), resourceVersionOf(item));
      told.version = Number(page.version);
      return page;
    },
    watch: (from) => watched({ looks, type, inner, told }, from),
  };
}

/** The state that lists and events have told so far. */
interface Told {
  /** The versions of the objects, by `namespace/name`. */
  readonly seen: Map<string, string>;
  /** The version that the objects are at least as new as. */
  version: number;
}

interface Looked {
  readonly looks: Pick<Looks, 'listen' | 'ring'>;
  readonly type: FollowedType;
  readonly inner: ListWatch;
  readonly told: Told;
}

async function* watched({ looks, type, inner, told }: Looked, { signal }: WatchFrom): AsyncGenerator<WatchEvent> {
  const shown = new Latest();
  const leave = looks.listen(type, (state) => shown.put(state));
  const stop = (): void => shown.end();
  signal.addEventListener('abort', stop, { once: true });
  looks.ring(); // a change since the list may be there
  try {
    for await (const state of shown) {
      if (Number(state.version) <= told.version) continue;
      if (state.objects !== undefined && equal(state.objects, Object.fromEntries(told.seen))) continue;
      const page = await listed(inner);
      yield* differences(page, told.seen);
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

function* differences({ items, version }: Page, seen: Map<string, string>): Generator<WatchEvent> {
  const gone = new Set(seen.keys());
  for (const object of items) {
    const key = keyOf(object);
    gone.delete(key);
    const [before, now] = [seen.get(key), resourceVersionOf(object)];
    seen.set(key, now);
    if (before !== now) yield { type: before === undefined ? 'ADDED' : 'MODIFIED', object };
  }
  for (const key of gone) {
    seen.delete(key);
    const [namespace = '', name = ''] = key.split('/');
    yield { type: 'DELETED', object: { metadata: { namespace, name, resourceVersion: version } } };
  }
}

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
