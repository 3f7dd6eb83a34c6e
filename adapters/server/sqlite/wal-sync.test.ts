import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Database } from './database.ts';
import { WalSync } from './wal-sync.ts';

describe('the sync of the write-ahead log', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'davit-wal-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('resolves for an existing log', async () => {
    const path = join(directory, 'davit.db');
    writeFileSync(`${path}-wal`, 'frames');
    const wal = new WalSync(path);
    expect(await Promise.all([wal.durable(), wal.durable()])).toEqual([undefined, undefined]);
    wal.close();
  });

  test('never reports success after a failure', async () => {
    const path = join(directory, 'davit.db');
    const wal = new WalSync(path);
    wal.check();
    await expect(wal.durable()).rejects.toMatchObject({ code: 'Unavailable' });
    writeFileSync(`${path}-wal`, 'frames');
    await expect(wal.durable()).rejects.toMatchObject({ code: 'Unavailable' });
    expect(() => wal.check()).toThrow('start the server again');
    wal.close();
  });
  describe('space reserved in the log', () => {
    const NAMES = 'SELECT name FROM sequence ORDER BY id';
    const name = (db: Database, of: string): number =>
      db.run('INSERT INTO sequence (name, watermark) VALUES (?, 0)', of);
    const names = (db: Database): unknown[] => db.all(NAMES).map((row) => row['name']);

    test('exists before the first commit, and no commit adds to it', async () => {
      const path = join(directory, 'davit.db');
      const db = new Database(path, { sync: 'full' });
      const { size } = statSync(`${path}-wal`);
      for (let i = 0; i < 100; i++) name(db, `s${i}`);
      await db.durable();
      expect(size).toBeGreaterThan(16_000_000);
      expect(statSync(`${path}-wal`).size).toBe(size);
      db.close();
    });

    test('follows the frames of other processes, which continue to write', () => {
      const path = join(directory, 'davit.db');
      const other = new Database(path, { sync: 'normal' });
      name(other, 'before');
      const db = new Database(path, { sync: 'full' });
      name(other, 'behind');
      name(db, 'last');
      for (const reader of [db, other]) expect(names(reader)).toEqual(['before', 'behind', 'last']);
      other.close();
      db.close();
    });

    test('is ignored in a recovery after a crash', () => {
      const [path, copy] = [join(directory, 'davit.db'), join(directory, 'copy.db')];
      const db = new Database(path, { sync: 'full' });
      for (const of of ['a', 'b']) name(db, of);
      for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
      db.close();
      const found = new Database(copy, { sync: 'full' });
      name(found, 'c');
      expect(names(found)).toEqual(['a', 'b', 'c']);
      found.close();
    });
  });
});
