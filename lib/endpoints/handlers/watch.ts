import { expired, StatusError } from '#lib/machinery/errors.ts';
import { select, type Selection } from '#lib/registry/store/selection.ts';
import { listReadAt, versionProblem } from '#lib/registry/store/read-at.ts';
import { statusError } from '#lib/registry/storage-status.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Version } from '#lib/storage/sequence.ts';
import type { StoredObject, WatchEvent } from '#lib/storage/storage.ts';
import type { ApiResponse } from '../api.ts';
import { negotiate } from '../negotiate.ts';
import { listOptions, type ListOptions } from '../options.ts';
import { offerOf } from '../respond.ts';
import type { Scope } from '../scope.ts';
import { watchEncoder, type WatchEncoder } from '../serialize/watch-event.ts';

/** Upstream's --min-request-timeout: a watch without a timeout ends between this and twice this, in seconds. */
const MIN_TIMEOUT = 1800;

/** Bytes of initial events that are sent together. */
const CHUNK = 64 * 1024;

/** GET of a collection with `watch`: a stream of events, one JSON text a line or one protobuf frame each. */
export async function watchHandler(scope: Scope): Promise<ApiResponse> {
  const { context, definition, cluster } = scope;
  const options = listOptions(context.request.query);
  const offer = offerOf(definition);
  const streams = offer.mediaTypes.filter((type) => type !== 'application/yaml');
  const want = negotiate(context.request, { ...offer, mediaTypes: streams });
  const { namespace, name } = context.info;
  const selection = select(definition, { ...options, cluster, namespace, name });
  const start = startOf(options);
  const encoder = watchEncoder(scope, want);
  return {
    status: 200,
    headers: { 'content-type': encoder.contentType },
    body: frames(scope, options, selection, start, encoder),
  };
}

interface Start {
  /** Whether the present state comes first, as ADDED events. */
  readonly initial: boolean;
  /** The version to begin behind; undefined is the state's own. */
  readonly after: Version | undefined;
}

/** Upstream answers a bad version here with a bare 500. */
function startOf({ resourceVersion, sendInitialEvents }: ListOptions): Start {
  const problem = resourceVersion === '' ? undefined : versionProblem(resourceVersion);
  if (problem !== undefined) throw new StatusError(undefined, problem);
  const unset = resourceVersion === '' || resourceVersion === '0';
  return { initial: sendInitialEvents ?? unset, after: unset ? undefined : Number(resourceVersion) };
}

async function* frames(
  scope: Scope,
  options: ListOptions,
  selection: Selection,
  start: Start,
  encoder: WatchEncoder,
): AsyncGenerator<Uint8Array> {
  const { clock, context } = scope;
  const timeout = new AbortController();
  const asked = options.timeoutSeconds ?? 0;
  const seconds = asked === 0 ? MIN_TIMEOUT * (1 + (context.now.getTime() % 1000) / 1000) : Math.max(0, asked);
  const signal = AbortSignal.any([timeout.signal, context.request.signal]);
  const timer = clock.sleep(seconds * 1000, signal).then(() => timeout.abort());
  try {
    yield* events(scope, options, selection, start, encoder, signal);
  } catch (error) {
    if (!(error instanceof StoreError) && !(error instanceof StatusError)) throw error;
    yield encoder.error(error instanceof StoreError ? refused(error, start) : error);
  } finally {
    timeout.abort();
    await timer;
  }
}

/** What is too old to follow is told in words of its own. */
function refused(error: StoreError, { after }: Start): StatusError {
  return error.code === 'Expired' && after !== undefined
    ? expired(`too old resource version: ${after}`)
    : statusError(error);
}

async function* events(
  scope: Scope,
  options: ListOptions,
  selection: Selection,
  start: Start,
  encoder: WatchEncoder,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { definition } = scope;
  const bookmarks = options.allowWatchBookmarks;
  let after = start.after;
  if (start.initial || after === undefined) {
    const at = listReadAt(options.resourceVersion, options.sendInitialEvents === true ? 'NotOlderThan' : '');
    if (start.initial) {
      const { version, batches } = await definition.storage.stream({ ...selection, at });
      for await (const batch of batches) yield* initialFrames(batch, encoder);
      if (options.sendInitialEvents === true && bookmarks) yield encoder.bookmark(version, true);
      after = version;
    } else after = (await definition.storage.list({ ...selection, at, limit: 1 })).version;
  }
  const { prefix } = selection;
  const key = prefix.endsWith('/') ? {} : { key: prefix };
  const stream = definition.storage.watch({ prefix, ...key, after, signal, bookmarks });
  for await (const event of stream) {
    if (event.type === 'BOOKMARK') yield encoder.bookmark(event.version, false);
    else yield* selected(event, selection, encoder);
  }
}

/** The present state as ADDED events, several to a chunk. */
function* initialFrames(objects: readonly StoredObject[], encoder: WatchEncoder): Generator<Uint8Array> {
  let frames: Uint8Array[] = [];
  let size = 0;
  for (const object of objects) {
    const frame = encoder.initial(object);
    frames.push(frame);
    size += frame.length;
    if (size < CHUNK) continue;
    yield Buffer.concat(frames, size);
    frames = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(frames, size);
}

type ObjectEvent = Exclude<WatchEvent, { type: 'BOOKMARK' }>;

/** The event as this selection sees it: an object that begins to match is ADDED, one that ceases to is DELETED. */
function* selected(event: ObjectEvent, { prefix, matches }: Selection, encoder: WatchEncoder): Generator<Uint8Array> {
  if (!covers(prefix, event.object.key)) return;
  if (matches === undefined) {
    yield encoder.event(event.type, event.object);
    return;
  }
  const before = event.type !== 'ADDED' && event.previous !== undefined && matches(event.previous);
  const now = event.type !== 'DELETED' && matches(event.object);
  if (now) yield encoder.event(before ? 'MODIFIED' : 'ADDED', event.object);
  else if (before) yield encoder.event('DELETED', event.type === 'DELETED' ? event.object : restamped(event));
}

/** A prefix that does not end a part is the key of one object. */
const covers = (prefix: string, key: string): boolean =>
  prefix.endsWith('/') ? key.startsWith(prefix) : key === prefix;

/** The state before the change, with the version of the change: what a watcher is told of an object that left its view. */
function restamped({ object, previous }: ObjectEvent): StoredObject {
  if (previous === undefined) return object;
  const { key, body, summary } = previous;
  return { key, body, summary, version: object.version, views: new Map() };
}
