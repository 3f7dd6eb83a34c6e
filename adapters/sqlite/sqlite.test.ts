import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sequenceConformance } from '#lib/storage/sequence.conformance.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { SqliteStore } from './store.ts';

sequenceConformance('SQLite', () => {
  const clock = new ManualClock();
  const retention = 3_600_000;
  const directory = mkdtempSync(join(tmpdir(), 'davit-sqlite-'));
  return {
    open: () => new SqliteStore({ path: join(directory, 'davit.db'), clock, retention, sync: 'off' }),
    advance: (milliseconds) => clock.advance(milliseconds),
    retention,
    dispose: () => rmSync(directory, { recursive: true }),
  };
});
