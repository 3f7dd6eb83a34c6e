import { StatusError } from '#lib/machinery/errors.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { apiVersion, type GroupVersionResource } from '#lib/machinery/schema.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { type ApiClientOptions, collectionPath, faultOf, sendRequest } from './api-client.ts';

/** A page of a list. */
export interface Page {
  readonly items: readonly JsonObject[];
  /** The version of the list, from which a watch can start. */
  readonly version: string;
  /** The token for the next page, empty for the last page. */
  readonly next: string;
}

/** An event of a watch. ERROR events are thrown. */
export type WatchEvent = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: JsonObject;
};

/** The position and options of a watch. */
export interface WatchFrom {
  readonly version: string;
  /** The time in seconds after which the server should end the watch. */
  readonly timeout: number;
  /** The version at which the watch should end. Servers that do not support this end it after `timeout`. */
  readonly until?: string;
  readonly signal: AbortSignal;
}

/** Lists and watches one resource in one namespace, or in all: upstream's ListWatch. Both throw StatusError. */
export interface ListWatch {
  /** Lists objects, each with its kind. A limit of 0 requests all of them in one response. */
  list(options: { readonly limit: number; readonly next: string }): Promise<Page>;
  /** Yields changes until the server ends the watch. Throws Expired or Gone if the version is too old. */
  watch(from: WatchFrom): AsyncIterable<WatchEvent>;
}

const JSON_TYPE = 'application/json';
/** The maximum size of an event in bytes. */
const LONGEST = 32 * 2 ** 20;
const NEWLINE = 0x0a;

/** Lists and watches the objects of a resource in one namespace, or in all namespaces if it is ''. A field selector is optional. */
export function listWatch(
  options: ApiClientOptions,
  resource: GroupVersionResource,
  namespace: string,
  fieldSelector = '',
): ListWatch {
  const target = collectionPath(resource, namespace);
  const selected = fieldSelector === '' ? {} : { fieldSelector };
  return {
    async list({ limit, next }) {
      const query = {
        ...selected,
        ...(limit > 0 ? { limit: String(limit) } : {}),
        ...(next === '' ? {} : { continue: next }),
      };
      const list = await sendRequest(options, {
        method: 'GET',
        accept: JSON_TYPE,
        target: `${target}?${new URLSearchParams(query)}`,
      });
      const kind = (stringAt(list, 'kind') ?? '').replace(/List$/, '');
      const items = arrayAt(list, 'items').filter(isObject);
      const metadata = objectAt(list, 'metadata');
      return {
        items: items.map((item) => ({ kind, apiVersion: apiVersion(resource), ...item })),
        version: stringAt(metadata, 'resourceVersion') ?? '',
        next: stringAt(metadata, 'continue') ?? '',
      };
    },
    async *watch({ version, timeout, until, signal }) {
      const query = new URLSearchParams({
        ...selected,
        watch: 'true',
        allowWatchBookmarks: 'true',
        resourceVersion: version,
        timeoutSeconds: String(timeout),
        ...(until === undefined ? {} : { untilResourceVersion: until }),
      });
      const response = await open(options, { path: target, query, signal: () => signal });
      for await (const line of linesOf(response.body)) yield eventIn(line);
    },
  };
}

type Opened = Pick<ApiRequest, 'path' | 'query' | 'signal'>;

async function open({ handle, token, userAgent }: ApiClientOptions, opened: Opened): Promise<ApiResponse> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { accept: JSON_TYPE, 'user-agent': userAgent, ...authorization };
  const response = await handle({ method: 'GET', ...opened, headers, body: async () => new Uint8Array() });
  if (response.status >= 300) throw await faultOf(response);
  return response;
}

/** Yields the lines of a body as they arrive. */
async function* linesOf(body: ApiResponse['body']): AsyncGenerator<Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) throw new TypeError('the server answered no watch');
  let rest: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, end)]);
      if (line.length > 0) yield line;
      [rest, size, from] = [[], 0, end + 1];
    }
    rest.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > LONGEST) throw new TypeError(`an event is longer than ${LONGEST} bytes`);
  }
}

/** Parses an event. Throws StatusError for an ERROR event. */
function eventIn(line: Uint8Array): WatchEvent {
  const event = parseStored(line);
  const [type, object] = isObject(event) ? [stringAt(event, 'type'), objectAt(event, 'object')] : [];
  if (object === undefined) throw new TypeError('the server sent no event');
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
    case 'BOOKMARK':
      return { type, object };
    default:
      throw faultIn(object);
  }
}

const faultIn = (status: JsonObject): StatusError =>
  new StatusError(undefined, stringAt(status, 'message') ?? '', {}, Number(status['code'] ?? 500));
