import { beforeEach, expect, test } from 'vitest';
import { expired } from '#lib/machinery/errors.ts';
import { aBookshop, BOOKS, type Book, book } from './bookshop.conformance.ts';
import type { ListContext, ObjectList } from './storage.ts';

let shop: ReturnType<typeof aBookshop>;
let asked: Pick<ListContext, 'limit' | 'continue'>[];
beforeEach(async () => {
  [shop, asked] = [aBookshop(), []];
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    await shop.ask('POST', BOOKS, { body: book(name, 1, name < 'c' ? { labels: { x: 'y' } } : {}) });
});

/** Lists books in pages of at most two. */
const list = async (context: ListContext): Promise<ObjectList<Book>> => {
  const { limit = 2, continue: from = '' } = context;
  asked.push({ ...('limit' in context && { limit }), ...('continue' in context && { continue: from }) });
  if (from === 'old') throw expired('compacted');
  const left = [...shop.kept.values()].filter(({ metadata: { name = '' } }) => name > from);
  const items = left.slice(0, Math.min(limit, 2));
  const remainingItemCount = left.length - items.length;
  const next = items.at(-1)?.metadata.name ?? '';
  return { items, resourceVersion: '5', ...(remainingItemCount > 0 && { continue: next, remainingItemCount }) };
};
const get = (query: string, more: { readonly accept?: string } = {}) =>
  shop.ask('GET', `${BOOKS}?${query}`, { api: shop.apiOf({ storage: { ...shop.storage, list } }), ...more });
const named = (...names: string[]) => names.map((name) => ({ metadata: { name } }));

test('passes the limit and the continue token to the storage, and its response to the client', async () => {
  const first = (await get('limit=2')).body;
  expect(first).toMatchObject({ metadata: { continue: 'b', remainingItemCount: 3 }, items: named('a', 'b') });
  expect((await get('limit=2&continue=b')).body).toMatchObject({
    metadata: { continue: 'd', remainingItemCount: 1 },
    items: named('c', 'd'),
  });
  const last = (await get('limit=2&continue=d')).body;
  expect([last['metadata'], last['items']]).toMatchObject([{ resourceVersion: '5' }, named('e')]);
  expect(last['metadata']).not.toHaveProperty('continue');
  expect(asked).toEqual([{ limit: 2 }, { limit: 2, continue: 'b' }, { limit: 2, continue: 'd' }]);
});

test('reads all pages of the storage for a client without a limit', async () => {
  const { items, metadata } = (await get('')).body;
  expect([items, metadata]).toMatchObject([named('a', 'b', 'c', 'd', 'e'), { resourceVersion: '5' }]);
  expect(asked).toEqual([{}, { continue: 'b' }, { continue: 'd' }]);
  expect((await get('continue=b')).body['items']).toMatchObject(named('c', 'd', 'e'));
});

test('returns the whole list if the storage ignores the limit', async () => {
  const { body } = await shop.ask('GET', `${BOOKS}?limit=1`);
  expect(body).toMatchObject({ items: named('a', 'b', 'c', 'd', 'e'), metadata: { resourceVersion: '5' } });
});

test('returns a shorter page without a remaining count for a selector', async () => {
  const { body } = await get('limit=2&continue=b&labelSelector=!x');
  expect(body).toMatchObject({ items: named('c', 'd'), metadata: { continue: 'd' } });
  expect(body['metadata']).not.toHaveProperty('remainingItemCount');
  expect((await get('limit=2&labelSelector=!x')).body).toMatchObject({ items: [], metadata: { continue: 'b' } });
});

test('returns pages as Tables and as metadata only', async () => {
  for (const as of ['Table', 'PartialObjectMetadataList'])
    expect((await get('limit=2', { accept: `application/json;as=${as};v=v1;g=meta.k8s.io` })).body).toMatchObject({
      kind: as,
      metadata: { continue: 'b', remainingItemCount: 3, resourceVersion: '5' },
    });
});

test('returns 410 for a continue token that is too old', async () => {
  expect(await get('limit=2&continue=old')).toMatchObject({
    status: 410,
    body: {
      reason: 'Expired',
      message:
        'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.',
    },
  });
});

test('starts a watch with the objects of all pages', async () => {
  const api = shop.apiOf({ storage: { ...shop.storage, list } });
  expect((await shop.ask('GET', `${BOOKS}?watch=true`, { api })).lines).toHaveLength(5);
});

test('deletes the objects of all pages, or those of one', async () => {
  const api = shop.apiOf({ storage: { ...shop.storage, list } });
  await shop.ask('DELETE', `${BOOKS}?limit=2`, { api });
  expect([...shop.kept.keys()]).toEqual(['c', 'd', 'e']);
  await shop.ask('DELETE', BOOKS, { api });
  expect(shop.kept.size).toBe(0);
});

test('aborts and logs a list whose pages never end', async () => {
  let pages = 0;
  const endless = async (): Promise<ObjectList<Book>> => ({ items: [], resourceVersion: '5', continue: `${++pages}` });
  const api = shop.apiOf({ storage: { ...shop.storage, list: endless } });
  expect((await shop.ask('GET', BOOKS, { api })).status).toBe(500);
  expect([pages, shop.logged]).toEqual([10_000, ['the list of books has more than 10000 pages']]);
});
