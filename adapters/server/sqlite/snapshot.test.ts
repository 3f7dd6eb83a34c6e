import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportLines } from '#lib/server/backup/export.ts';
import { parseLine } from '#lib/server/backup/line.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { proposal } from '#lib/storage/proposal.conformance.ts';
import { SqliteStore } from './store.ts';

const clock = new ManualClock();
let directory: string;
let path: string;
let store: SqliteStore;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'davit-snapshot-'));
  path = join(directory, 'davit.db');
  store = new SqliteStore({ path, clock, retention: 0 });
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

/** Writes a numbered object to one log, then to the other, and folds both. */
async function writePair(number: number): Promise<void> {
  for (const name of ['main//a', 'main//b']) {
    const log = store.sequence(name);
    await log.append(await log.head(), [proposal(`n${number}`)], { nonce: `${name} ${number}` });
    clock.advance(1000);
    await log.compact();
  }
}

async function exported(from: SqliteStore, between: () => Promise<void>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  let name = '';
  for await (const bytes of exportLines(from, { secrets: true })) {
    await between();
    const line = parseLine(Buffer.from(bytes).toString());
    if (line.kind === 'sequence') counts[(name = line.name)] = 0;
    if (line.kind === 'object') counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test('exports a snapshot of one moment while another process writes, folds and drops', async () => {
  for (let i = 0; i < 3; i++) await writePair(i);
  let written = 3;
  const snapshot = new SqliteStore({ path, clock, snapshot: true });
  const counts = await exported(snapshot, () => writePair(written++));
  expect(counts).toEqual({ 'main//a': 3, 'main//b': 3 });
  await snapshot.close();
  expect(written).toBeGreaterThan(6);
  expect(await exported(store, async () => {})).toEqual({ 'main//a': written, 'main//b': written });
});

test('keeps a snapshot after the writing server ends or crashes', async () => {
  await writePair(0);
  const copy = join(directory, 'copy.db');
  for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
  const [snapshot, crashed] = [path, copy].map((of) => new SqliteStore({ path: of, clock, snapshot: true }));
  await store.close();
  for (const one of [snapshot, crashed]) {
    expect(one && (await exported(one, async () => {}))).toEqual({ 'main//a': 1, 'main//b': 1 });
    await one?.close();
  }
  store = new SqliteStore({ path, clock });
  expect(await store.sequence('main//a').head()).toBe(2);
});

test('writes nothing to a snapshot', async () => {
  await writePair(0);
  const snapshot = new SqliteStore({ path, clock, snapshot: true });
  const append = snapshot.sequence('main//a').append(2, [proposal('x')], { nonce: 'x' });
  await expect(append).rejects.toMatchObject({ code: 'Unavailable', message: expect.stringContaining('readonly') });
  await snapshot.close();
});
