import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { ListWatch, Page, WatchEvent, WatchFrom } from '#lib/client/list-watch.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import { concernsNode } from '#lib/server/channel/concerns-pod.ts';
import { type FollowedType, isNetworkType } from '#lib/server/channel/followed-types.ts';
import type { FollowedState } from '#lib/server/channel/look.ts';
import type { Looks } from './looks.ts';
import type { ReceivedNotifications } from './received-notifications.ts';

/** Time-out in seconds for a watch on a server that does not end watches at a version. */
const CATCH_UP = 1;

/**
 * A ListWatch whose watch holds no connection. When a poll returns another state of the type, it requests the changes up to that version.
 * If the node follows only a part of a type, it lists that part again and emits the difference. Changes between two lists are merged into
 * one. `heard` is called with the changes that should have caused a notification.
 */
export function lookingListWatch(
  looks: Pick<Looks, 'listen' | 'lookNow'>,
  type: FollowedType,
  inner: ListWatch,
  heard: Pick<ReceivedNotifications, 'found'>,
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

/** An object as it was last emitted. */
interface Seen {
  readonly version: string;
  /** The pod, if the type is pods: its earlier state decides which changes cause a notification. */
  readonly pod?: Pod;
}

const seenOf = (type: FollowedType, object: JsonObject): Seen => ({
  version: resourceVersionOf(object),
  ...(type === 'pods' && { pod: typedObject(PODS, object) }),
});

/** Whether the change of an object causes a notification. Some changes of pods do not. */
const rings = ({ pod: before }: Seen, { pod: now }: Seen): boolean =>
  before === undefined || now === undefined || concernsNode(now, before);

/** The state that lists and events have emitted so far. */
interface Told {
  /** The objects, by `namespace/name`. */
  readonly seen: Map<string, Seen>;
  /** A lower bound for the version of the objects. */
  version: number;
}

interface Looked {
  readonly looks: Pick<Looks, 'listen' | 'lookNow'>;
  readonly heard: Pick<ReceivedNotifications, 'found'>;
  readonly type: FollowedType;
  readonly inner: ListWatch;
  readonly told: Told;
}

async function* watched(looked: Looked, { signal }: WatchFrom): AsyncGenerator<WatchEvent> {
  const { looks, type, told } = looked;
  const shown = new Latest();
  const leave = looks.listen(type, (state) => shown.put(state));
  using _listener = onAbort(signal, () => shown.end());
  looks.lookNow(); // the list may already be outdated
  try {
    for await (const state of shown) {
      if (Number(state.version) <= told.version) continue;
      if (isWhole(type)) yield* caughtUp(looked, state.version, signal);
      else if (state.objects === undefined || !equal(state.objects, versionsOf(told.seen))) yield* relisted(looked);
    }
  } finally {
    leave();
  }
}

/** The changes of a whole type up to a version. Lists if the server does not send all of them. */
async function* caughtUp(looked: Looked, until: string, signal: AbortSignal): AsyncGenerator<WatchEvent> {
  const { heard, type, inner, told } = looked;
  const behind = told.version;
  let isChanged = false;
  for (let before = -1; told.version < Number(until) && told.version > before && !signal.aborted; ) {
    before = told.version;
    const from = { version: String(before), timeout: CATCH_UP, until, signal };
    for await (const event of inner.watch(from)) {
      isChanged ||= event.type !== 'BOOKMARK';
      note(event, type, told);
      yield event;
    }
  }
  if (isChanged && notifiesForEach(type)) heard.found(type, behind);
  if (told.version < Number(until) && !signal.aborted) yield* relisted(looked);
}

function note({ type: change, object }: WatchEvent, type: FollowedType, told: Told): void {
  told.version = Math.max(told.version, Number(resourceVersionOf(object)));
  if (change === 'DELETED') told.seen.delete(keyOf(object));
  else if (change !== 'BOOKMARK') told.seen.set(keyOf(object), seenOf(type, object));
}

/** Lists, and emits the difference to what was emitted before. */
async function* relisted({ heard, type, inner, told }: Looked): AsyncGenerator<WatchEvent> {
  const page = await listed(inner);
  const { events, isRung } = differences(type, page, told.seen);
  if (isRung && notifiesForEach(type)) heard.found(type, told.version);
  yield* events;
  told.version = Number(page.version);
}

/** Whether a node follows all objects of a type. */
const isWhole = (type: FollowedType): boolean =>
  type === 'services' || type === 'runtimeclasses' || isNetworkType(type);

/** Whether every change that `differences` counts causes a notification. Other nodes and their pods are not checked. */
const notifiesForEach = (type: FollowedType): boolean => type !== 'allnodes' && type !== 'allpods';

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
  /** Whether one of them should have caused a notification. */
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

/** A sequence of states. A slow reader only gets the newest one. */
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
