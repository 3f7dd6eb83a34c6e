import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WalSync } from './wal-sync.ts';

describe('the sync of the write-ahead log', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'davit-wal-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('resolves for a log that is there', async () => {
    const path = join(directory, 'davit.db');
    writeFileSync(`${path}-wal`, 'frames');
    const wal = new WalSync(path);
    expect(await Promise.all([wal.durable(), wal.durable()])).toEqual([undefined, undefined]);
    wal.close();
  });

  test('that failed once is never said to have been done', async () => {
    const path = join(directory, 'davit.db');
    const wal = new WalSync(path);
    await expect(wal.durable()).rejects.toMatchObject({ code: 'Unavailable' });
    writeFileSync(`${path}-wal`, 'frames');
    await expect(wal.durable()).rejects.toMatchObject({ code: 'Unavailable' });
    wal.close();
  });
});
