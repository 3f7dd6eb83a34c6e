import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { alreadyExists, conflict } from '#lib/machinery/errors.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { requestInfo } from '#lib/server/request/request-info.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import {
  type AggregatedResource,
  type DefinedAggregatedApi,
  defineAggregatedApi,
  defineAggregatedResource,
} from './define-aggregated-api.ts';
import { serveAggregatedApi } from './serve.ts';
import type { ObjectEvent, ResourceStorage } from './storage.ts';

/** A book with a number of pages. */
export interface Book extends KubernetesObject {
  readonly spec: { readonly pages: number; readonly title?: string };
}

export const GROUP = 'books.example.com';
export const BOOKS = `/apis/${GROUP}/v1/namespaces/default/books`;
export const MERGE = 'application/merge-patch+json';
const RESOURCE = { group: GROUP, resource: 'books' };

const SCHEMA: JsonObject = {
  type: 'object',
  properties: { spec: { type: 'object', required: ['pages'], properties: { pages: { type: 'integer', minimum: 1 } } } },
};

interface Asked {
  readonly body?: Json;
  readonly type?: string;
  readonly accept?: string;
  readonly userAgent?: string;
  /** Default true. */
  readonly mayCreate?: boolean;
  readonly api?: DefinedAggregatedApi;
}

/** An aggregated API that stores books in memory, and a client for it. */
export function aBookshop() {
  const kept = new Map<string, Book>();
  const logged: string[] = [];
  const clock = new ManualClock();
  let version = 0;

  const put = (book: Book): Book => {
    const stored = { ...book, metadata: { ...book.metadata, resourceVersion: `${++version}` } };
    kept.set(book.metadata.name ?? '', stored);
    return stored;
  };

  const storage: ResourceStorage<Book> = {
    get: async (name) => kept.get(name),
    list: async () => ({ items: [...kept.values()], resourceVersion: `${version}` }),
    async *watch() {
      yield* shop.events;
    },
    create: async (book) => {
      if (kept.has(book.metadata.name ?? '')) throw alreadyExists(RESOURCE, book.metadata.name ?? '');
      return put(book);
    },
    update: async (book, { current }) => {
      const { name = '' } = book.metadata;
      if (kept.get(name) !== current) throw conflict(RESOURCE, name, 'the book has changed');
      return put(book);
    },
    delete: async (name) => void kept.delete(name),
  };

  const apiOf = (more: Partial<AggregatedResource<Book>> = {}): DefinedAggregatedApi =>
    defineAggregatedApi({
      name: 'books',
      group: GROUP,
      version: 'v1',
      resources: [defineAggregatedResource<Book>({ name: 'books', kind: 'Book', schema: SCHEMA, storage, ...more })],
    });

  async function ask(method: string, uri: string, asked: Asked = {}) {
    const { body, type, accept = 'application/json', userAgent, mayCreate = true, api = apiOf() } = asked;
    const [path = '', search = ''] = uri.split('?');
    const query = new URLSearchParams(search);
    const info = requestInfo(method, path, query);
    if (info === undefined) throw new Error(uri);
    const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
    const headers = { ...(type && { 'content-type': type }), ...(userAgent && { 'user-agent': userAgent }), accept };
    const { signal } = new AbortController();
    const log = { info: () => undefined, error: (message: string) => void logged.push(message) };
    const user = { name: 'bob', uid: '', groups: [], extra: {} };
    const request = { method, query, headers, body: async () => bytes, signal: () => signal };
    const answer = await serveAggregatedApi(api, { request, info, user, mayCreate, clock, log });
    const lines: JsonObject[] = [];
    const take = (text: string): void => void lines.push(...text.split('\n').filter(Boolean).map(objectOf));
    if (typeof answer.body === 'string' || answer.body instanceof Uint8Array) take(Buffer.from(answer.body).toString());
    else for await (const chunk of answer.body) take(Buffer.from(chunk).toString());
    return { status: answer.status, body: lines[0] ?? {}, lines };
  }

  const shop = { kept, logged, clock, put, storage, apiOf, ask, events: new Array<ObjectEvent<Book>>() };
  return shop;
}

const objectOf = (line: string): JsonObject => {
  const value = JSON.parse(line) as Json;
  return isObject(value) ? value : {};
};

/** A book as a client sends it. */
export const book = (name: string, pages: number, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name, ...metadata },
  spec: { pages },
});
