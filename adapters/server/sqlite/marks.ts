import type { Cursors, Version } from '#lib/storage/sequence.ts';
import type { Database } from './database.ts';
import { versionAt } from './rows.ts';

const GET = 'SELECT version FROM cursor WHERE seq = ? AND reader = ?';
const FIRST = 'INSERT INTO cursor (seq, reader, version) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
const MOVE = 'UPDATE cursor SET version = ?4 WHERE seq = ?1 AND reader = ?2 AND version = ?3';

/** The cursors of one sequence. */
export function cursorsOf(db: Database, seq: () => number): Cursors {
  return {
    cursor: async (reader) => {
      const row = db.get(GET, seq(), reader);
      return row === undefined ? undefined : versionAt(row, 'version');
    },
    moveCursor: async (reader, from, to: Version) => {
      const changed = from === undefined ? db.run(FIRST, seq(), reader, to) : db.run(MOVE, seq(), reader, from, to);
      await db.durable();
      return changed === 1;
    },
  };
}
