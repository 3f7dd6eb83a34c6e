import { defined } from '#lib/machinery/defined.ts';
import { encodeObject, parseStored } from '#lib/machinery/json.ts';
import { isObject, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { summarize } from '#lib/server/registry/summarize.ts';
import { collectStream } from '#lib/storage/cache/view.ts';
import type {
  ListRequest,
  MutationResult,
  Outcome,
  ReadAt,
  Storage,
  StoredObject,
  WatchEvent,
} from '#lib/storage/storage.ts';
import { readConverted, readStored, storedApiVersion, type Versions } from './versions.ts';
import type { Converter } from './webhook.ts';

const FRESH: ReadAt = { kind: 'fresh' };

/**
 * A storage that serves the objects of `inner` in one version of their definition. `converter` converts each object once, in batches, and
 * back when it is written. Selectors apply to the converted object.
 */
export function convertingStorage(inner: Storage, versions: Versions, converter: Converter): Storage {
  const { served, stored } = conversions(versions, converter);
  const first = async (found: StoredObject | undefined): Promise<StoredObject | undefined> =>
    found && (await served([found]))[0];
  const stream = async (request: Omit<ListRequest, 'limit'>) => {
    const { matches, where: _, ...rest } = request; // stored objects may have other labels
    const { version, batches } = await inner.stream(rest);
    return { version, batches: selected(batches, served, matches) };
  };
  return {
    get: async (key, at) => first(await inner.get(key, at)),
    async list(request) {
      if (request.matches === undefined) {
        const page = await inner.list(request);
        return { ...page, objects: await served(page.objects) };
      }
      const { version, batches } = await stream(request);
      return collectStream(batches, { ...request, matches: () => true }, version);
    },
    stream,
    async mutate<T>(key: string, fn: (current: StoredObject | undefined) => Outcome<T>): Promise<MutationResult<T>> {
      for (;;) {
        const found = await inner.get(key, FRESH);
        const outcome = fn(await first(found));
        if (outcome.action === 'keep') return { result: outcome.result };
        const ready: Outcome<'stale' | 'done'> = { ...(await stored(outcome)), result: 'done' };
        const done = await inner.mutate(key, (now) =>
          now?.version === found?.version ? ready : { action: 'keep', result: 'stale' },
        );
        if (done.result === 'stale') continue;
        const after = await first(done.stored);
        return { result: outcome.result, ...defined({ stored: after }) };
      }
    },
    discard: (key, body) => inner.discard(key, body),
    watch: (request) => Object.assign(converted(inner.watch(request), served), { take: () => undefined }),
    head: () => inner.head(),
  };
}

type Served = (objects: readonly StoredObject[]) => Promise<StoredObject[]>;

async function* selected(
  batches: AsyncIterable<readonly StoredObject[]>,
  served: Served,
  matches: (object: StoredObject) => boolean = () => true,
): AsyncGenerator<readonly StoredObject[], void> {
  for await (const batch of batches) yield (await served(batch)).filter(matches);
}

async function* converted(
  events: AsyncIterable<WatchEvent>,
  served: Served,
): AsyncGenerator<WatchEvent, undefined, void> {
  for await (const event of events) {
    if (event.type === 'BOOKMARK') yield event;
    else {
      const { previous: before } = event;
      const isWhole = before !== undefined && before.damage === undefined;
      const [object, previous = before] = await served(isWhole ? [event.object, before] : [event.object]);
      yield { ...event, object: object as StoredObject, ...defined({ previous }) };
    }
  }
}

const otherwise = new WeakSet<StoredObject>();

/** Whether a write would store an object of a converting storage in a different version than its stored one. */
export const wasStoredOtherwise = (object: StoredObject): boolean => otherwise.has(object);

type Change = Exclude<Outcome<unknown>, { action: 'keep' }>;

/** Converts between the stored and the served form. Concurrent readers share the conversion of an object. */
function conversions(versions: Versions, converter: Converter) {
  const { kind } = versions;
  const known = new WeakMap<StoredObject, Promise<StoredObject>>();
  const convert = async (objects: readonly StoredObject[]): Promise<StoredObject[]> => {
    const read = objects.map((object) => readStored(parsed(object.body), versions));
    const values = await converter(read, apiVersion(kind));
    return objects.map((object, i) => {
      const [value, before] = [values[i] as JsonObject, read[i] as JsonObject];
      const made = asServed(object, value === before ? value : readConverted(value, kind.version, versions));
      if (stringAt(before, 'apiVersion') !== storedApiVersion(versions)) otherwise.add(made);
      return made;
    });
  };
  const served: Served = (objects) => {
    const missing = objects.filter((object) => !known.has(object));
    if (missing.length > 0) {
      const batch = convert(missing);
      for (const [i, object] of missing.entries()) {
        const one = batch.then((made) => made[i] as StoredObject);
        known.set(object, one);
        one.catch(() => known.delete(object));
      }
    }
    return Promise.all(objects.map((object) => known.get(object) as Promise<StoredObject>));
  };
  const stored = async (change: Change): Promise<Change> => {
    if (change.action === 'delete' || kind.version === versions.storageVersion) return change;
    const object = await asStored(parsed(change.body), versions, converter);
    return { ...change, body: encodeObject(object), summary: summarize(object, {}) };
  };
  return { served, stored };
}

async function asStored(hub: JsonObject, versions: Versions, converter: Converter): Promise<JsonObject> {
  const [value] = await converter([hub], storedApiVersion(versions));
  return readConverted(value as JsonObject, versions.storageVersion, versions);
}

/** Returns the object as a reader would receive it if it had been stored. */
export async function readBack(hub: JsonObject, versions: Versions, converter: Converter): Promise<JsonObject> {
  const { kind, storageVersion } = versions;
  if (kind.version === storageVersion) return hub;
  const [value] = await converter([readStored(await asStored(hub, versions, converter), versions)], apiVersion(kind));
  return readConverted(value as JsonObject, kind.version, versions);
}

function parsed(body: Uint8Array): JsonObject {
  const value = parseStored(body);
  if (!isObject(value)) throw new TypeError('a stored body holds no object');
  return value;
}

function asServed({ key, version, summary, stale = false }: StoredObject, object: JsonObject): StoredObject {
  return {
    key,
    version,
    body: encodeObject(object),
    summary: summarize(object, summary.fields),
    stale,
    views: new Map(),
  };
}
