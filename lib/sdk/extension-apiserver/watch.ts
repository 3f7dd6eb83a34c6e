import { StatusError } from '#lib/machinery/errors.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { statusOf } from '#lib/machinery/status.ts';
import { untilAborted } from '#lib/machinery/wait/unless-aborted.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { listOptions } from '#lib/server/endpoints/options.ts';
import { wholeList } from './pages.ts';
import { negotiated, type Shape, shapeOf } from './respond.ts';
import { method, type ResourceScope, shownObject } from './scope.ts';
import { type Selects, selection } from './selection.ts';

/** The duration in seconds of a watch that specifies no timeout. */
const MAX_SECONDS = 1800;
const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

const frame = (type: string, object: JsonObject): Uint8Array => Buffer.from(`${encodeJson({ type, object })}\n`);

/**
 * The events of the resource. If the client specifies no version, the current state comes first. The events of the author's watch follow.
 */
export async function watch(scope: ResourceScope): Promise<ApiResponse> {
  const follow = method(scope, 'watch');
  const options = listOptions(scope.request.query);
  const selects = selection(scope);
  const want = negotiated(scope);
  const seen = new Seen(selects);
  const isOfNow = ['', '0'].includes(options.resourceVersion);
  const isInitial = options.sendInitialEvents ?? isOfNow;
  const first = isInitial || isOfNow ? await wholeList(scope) : undefined;
  const from = first?.resourceVersion ?? options.resourceVersion;
  // The first read of the body waits for the first event, or for the error of a version that is too old.
  const ending = new AbortController();
  const signal = AbortSignal.any([scope.request.signal(), ending.signal]);
  const events = follow(from, { ...scope.context, signal })[Symbol.asyncIterator]();
  void scope.clock.sleep((options.timeoutSeconds ?? MAX_SECONDS) * 1000, signal).then(() => ending.abort());
  const shape = shapeOf(scope, want);
  const { allowWatchBookmarks, sendInitialEvents } = options;
  const frames = async function* (): AsyncGenerator<Uint8Array> {
    let isFirst = true;
    const shown = (type: string, object: JsonObject): Uint8Array => {
      const made = frame(type, shape.object(object, isFirst));
      isFirst = false;
      return made;
    };
    try {
      for (const item of (isInitial && first?.items) || []) {
        const object = shownObject(scope, item);
        if (seen.type('ADDED', object) !== undefined) yield shown('ADDED', object);
      }
      if (sendInitialEvents === true && allowWatchBookmarks) yield bookmark(scope, shape, from, true);
      const next = async () => (await untilAborted(events.next(), signal)) ?? END; // an author's watch may ignore the signal
      for (let event = await next(); event.done !== true; event = await next()) {
        const { value } = event;
        if (value.type === 'BOOKMARK') {
          if (allowWatchBookmarks) yield bookmark(scope, shape, value.resourceVersion, false);
          continue;
        }
        const object = shownObject(scope, value.object);
        const type = seen.type(value.type, object);
        if (type !== undefined) yield shown(type, object);
      }
    } catch (error) {
      if (scope.request.signal().aborted) return;
      if (!(error instanceof StatusError)) throw error;
      yield frame('ERROR', statusOf(error));
    } finally {
      ending.abort();
      void Promise.resolve(events.return?.()).catch(() => undefined); // the author's watch may never yield another event
    }
  };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: frames() };
}

function bookmark(scope: ResourceScope, shape: Shape, resourceVersion: string, isInitialEnd: boolean): Uint8Array {
  const { api, resource } = scope;
  const annotations = isInitialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  const metadata = { resourceVersion, ...annotations };
  const object = { kind: resource.declaration.kind, apiVersion: apiVersion(api.declaration), metadata };
  return frame('BOOKMARK', shape.object(object));
}

/** The objects that a watcher has seen. If an object starts to match the selectors, it is ADDED. If it stops, it is DELETED. */
class Seen {
  readonly #selects: Selects;
  readonly #matched = new Map<string, boolean>();

  constructor(selects: Selects) {
    this.#selects = selects;
  }

  /** The type of the watcher's event. Undefined if the watcher gets no event. */
  type(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: JsonObject): 'ADDED' | 'MODIFIED' | 'DELETED' | undefined {
    const key = `${namespaceOf(object)}/${nameOf(object)}`;
    const before = this.#matched.get(key);
    const now = this.#selects(object);
    if (type === 'DELETED') this.#matched.delete(key);
    else this.#matched.set(key, now);
    if (type === 'DELETED') return (before ?? now) ? 'DELETED' : undefined;
    if (now) return before === false ? 'ADDED' : type;
    // If an object is unseen, it may have matched before. An unnecessary deletion is harmless.
    return type === 'MODIFIED' && before !== false ? 'DELETED' : undefined;
  }
}
