import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreError } from '#lib/storage/errors.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { bodyOf, proposal } from '#lib/storage/proposal.conformance.ts';
import { Committer } from './committer.ts';
import { Database } from './database.ts';
import { SqliteSequence } from './sequence.ts';

let directory: string;
let db: Database;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'davit-committer-'));
  db = new Database(join(directory, 'davit.db'), { sync: 'full' });
});
afterEach(() => {
  db.close();
  rmSync(directory, { recursive: true });
});

const sequences = (committer: Committer) => {
  const parts = { db, committer, clock: new ManualClock(), retention: 0 };
  return [new SqliteSequence('main//a', parts), new SqliteSequence('main//b', parts)] as const;
};
const codes = (results: readonly PromiseSettledResult<unknown>[]): string[] =>
  results.map((result) => (result.status === 'fulfilled' ? 'ok' : (result.reason as StoreError).code));
const LARGE = proposal('large', { body: bodyOf(0, { length: 1_000_000 }) });

/** Limits SQLite to this many additional pages. */
function leaveRoom(pages: number): void {
  const count = Number(db.get('PRAGMA page_count')?.['page_count']);
  db.get(`PRAGMA max_page_count = ${count + pages}`);
}

test('rejects a whole group on a full disk, and commits it when there is room', async () => {
  const committer = new Committer(db);
  const [a, b] = sequences(committer);
  expect(await a.append(1, [proposal('first')], { nonce: '1' })).toMatchObject({ ok: true });
  leaveRoom(20);
  const write = () =>
    Promise.allSettled([a.append(2, [proposal('small')], { nonce: '2' }), b.append(1, [LARGE], { nonce: '3' })]);
  expect(codes(await write())).toEqual(['NoSpace', 'NoSpace']);
  expect(committer.failure?.code).toBe('NoSpace');
  expect([await a.head(), await b.head()]).toEqual([2, 1]);

  expect(await a.append(2, [proposal('alone')], { nonce: '4' })).toMatchObject({ ok: true, last: 3 });
  expect(committer.failure).toBeUndefined();
  leaveRoom(10_000);
  expect(await b.append(1, [LARGE], { nonce: '5' })).toMatchObject({ ok: true, last: 2 });
});

test('a checkpoint without room leaves the log unchanged', async () => {
  const [a] = sequences(new Committer(db));
  await a.append(1, [LARGE], { nonce: '1' });
  leaveRoom(20);
  await expect(a.compact()).rejects.toMatchObject({ code: 'NoSpace' });
  const page = await a.readLog(1, { limit: 10, consistent: true });
  expect([page.changes.map(({ key }) => key), await a.read(LARGE.key)]).toEqual([[LARGE.key], { from: 1 }]);
  leaveRoom(10_000);
  expect(await a.compact()).toBe(2);
  expect((await a.read(LARGE.key)).item?.version).toBe(2);
});

test('acknowledges neither a group whose sync fails nor later ones, and keeps the earlier ones', async () => {
  let isBroken = false;
  const durable = async (): Promise<void> => {
    if (isBroken) throw new StoreError('Unavailable', 'injected: EIO');
    await db.durable();
  };
  const run = db.run.bind(db);
  const committer = new Committer({ run, durable, transaction: (work) => db.transaction(work) });
  const [a, b] = sequences(committer);
  expect(await a.append(1, [proposal('kept')], { nonce: '1' })).toMatchObject({ ok: true });
  isBroken = true;
  const group = [
    a.append(2, [proposal('x')], { nonce: '2' }),
    b.append(1, [proposal('y'), proposal('z')], { nonce: '3' }),
  ];
  expect(codes(await Promise.allSettled(group))).toEqual(['Unavailable', 'Unavailable']);
  await expect(a.append(2, [proposal('x')], { nonce: '2' })).rejects.toMatchObject({ code: 'Unavailable' });
  await expect(committer.touch()).rejects.toMatchObject({ code: 'Unavailable' });

  db.close();
  db = new Database(join(directory, 'davit.db'), { sync: 'full' });
  const [again, other] = sequences(new Committer(db));
  const heads = [await again.head(), await other.head()];
  expect([
    [2, 1],
    [3, 3],
  ]).toContainEqual(heads);
});
