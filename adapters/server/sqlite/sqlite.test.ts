import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { bodyOf, proposal } from '#lib/storage/proposal.conformance.ts';
import { sequenceConformance } from '#lib/storage/sequence.conformance.ts';
import { Database } from './database.ts';
import { SqliteStore } from './store.ts';

sequenceConformance('SQLite', () => {
  const clock = new ManualClock();
  const retention = 3_600_000;
  const directory = mkdtempSync(join(tmpdir(), 'davit-sqlite-'));
  return {
    open: () => new SqliteStore({ path: join(directory, 'davit.db'), clock, retention, sync: 'off' }),
    now: () => clock.now(),
    advance: (milliseconds) => clock.advance(milliseconds),
    jump: (milliseconds) => clock.jump(milliseconds),
    retention,
    dispose: () => rmSync(directory, { recursive: true }),
  };
});

describe('a SQLite store', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'davit-sqlite-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const open = (path = join(directory, 'davit.db')) => new SqliteStore({ path, clock: new ManualClock() });

  test("commits several sequences' appends of one turn together, each with its own checks", async () => {
    const store = open();
    const [a, b] = [store.sequence('main//a'), store.sequence('main//b')];
    const results = await Promise.all([
      a.append(1, [proposal('x'), proposal('y')], { nonce: '1' }),
      b.append(1, [proposal('x')], { nonce: '2' }),
      a.append(1, [proposal('late')], { nonce: '3' }),
      b.append(2, [proposal('next')], { nonce: '4' }),
    ]);
    expect(results.map(({ ok, last }) => [ok, last])).toEqual([
      [true, 3],
      [true, 2],
      [false, 3],
      [true, 3],
    ]);
    await store.close();
  });

  test('rejects one of several appends without effect on the others', async () => {
    const store = open();
    const [a, b] = [store.sequence('main//a'), store.sequence('main//b')];
    const results = await Promise.allSettled([
      a.append(7, [proposal('x')], { nonce: '1' }),
      a.append(1, [proposal('y')], { nonce: '2' }),
      b.append(1, [proposal('z', { body: Buffer.from('{}') })], { nonce: '3' }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
    expect(await a.head()).toBe(2);
    await store.close();
  });

  test('commits waiting appends on close', async () => {
    const store = open();
    const appended = store.sequence('main//a').append(1, [proposal('x')], { nonce: '1' });
    await store.close();
    expect(await appended).toEqual({ ok: true, first: 2, last: 2 });
    const again = open();
    expect(await again.sequence('main//a').head()).toBe(2);
    await again.close();
  });

  test('pages hold a bounded number of bytes', async () => {
    const store = open();
    const log = store.sequence('main//a');
    const body = bodyOf(0, { length: 1_500_000 });
    const many = Array.from({ length: 16 }, (_, i) => proposal(`n${i}`, { body }));
    await log.append(1, many, { nonce: '1' });
    const page = await log.readLog(1, { limit: 100, consistent: true });
    expect(page).toMatchObject({ last: 13, more: true });
    expect(await log.readLog(page.last, { limit: 100, consistent: true })).toMatchObject({ last: 17, more: false });
    await store.close();
  });

  test.each([
    ['file', 'PRAGMA user_version = 2'],
    ['entry', 'UPDATE log SET format = 2'],
  ])('throws UnknownFormat for a %s of a newer program', async (_, sql) => {
    await open()
      .sequence('main//a')
      .append(1, [proposal('x')], { nonce: '1' });
    const raw = new DatabaseSync(join(directory, 'davit.db'));
    raw.exec(sql);
    raw.close();
    const read = async () => open().sequence('main//a').readLog(1, { limit: 1, consistent: true });
    await expect(read()).rejects.toMatchObject({ code: 'UnknownFormat' });
  });

  test.each([
    ['not a database', 'text', 'Corrupt'],
    ['in no directory', undefined, 'Unavailable'],
  ])('rejects a path that is %s', (_, content, code) => {
    const path = join(directory, content === undefined ? 'none/davit.db' : 'davit.db');
    if (content !== undefined) writeFileSync(path, content.repeat(2_000));
    expect(() => open(path)).toThrow(expect.objectContaining({ code }));
  });

  test('throws Overloaded and writes nothing if another writer blocks for too long', async () => {
    const db = new Database(join(directory, 'davit.db'), { sync: 'off', busyTimeout: 10 });
    const other = new DatabaseSync(join(directory, 'davit.db'));
    other.exec('BEGIN IMMEDIATE');
    expect(() => db.transaction(() => undefined)).toThrow(expect.objectContaining({ code: 'Overloaded' }));
    other.exec('COMMIT');
    expect(db.transaction(() => 'done')).toBe('done');
    other.close();
    db.close();
  });
});
