import type { Clock } from '#lib/machinery/clock.ts';
import { nextEpoch, type Version } from '#lib/storage/sequence.ts';
import type { Birth } from './birth.ts';
import type { Checkpoint } from './checkpoint.ts';
import { entryItem } from './entry.ts';
import { number, type Partitions, position, text } from './layout.ts';
import type { Log } from './log.ts';
import { born, type Marks } from './marks.ts';
import type { Table } from './port.ts';
import { momentOf } from './proof.ts';

const PAGE = 100;
interface Parts {
  readonly table: Table;
  readonly log: Log;
  readonly marks: Marks;
  readonly birth: Birth;
  readonly checkpoint: Checkpoint;
}

/**
 * Starts a new epoch, so that no version that was lost in a restore is ever assigned again. It cuts the log at its first gap, seals it and
 * checkpoints it. Then it moves the watermark to the first entry of the new epoch, resets the cursors to 0, and returns that watermark. It
 * may be repeated after a crash at any point. Repeating it after success starts another epoch.
 */
export async function raiseEpoch(parts: Parts, at: { where: Partitions; clock: Clock }): Promise<Version> {
  const { end, next } = await cut(parts, at.where);
  const sealed = next !== end + 1;
  const beginning = sealed ? next : nextEpoch(end);
  if (!sealed) await seal(parts, { ...at, first: next, next: beginning });
  await parts.birth.entry(beginning, momentOf(at.clock));
  await parts.checkpoint.advance(beginning);
  for (const { reader, version } of await parts.marks.cursors()) {
    await parts.marks.moveCursor(reader, version, 0);
  }
  return beginning;
}

/** Finds the end of the log, which is its first gap after the watermark. Entries after a gap were never complete and are deleted. */
async function cut({ table, log, marks }: Parts, where: Partitions): Promise<{ end: Version; next: Version }> {
  const watermark = born(await marks.watermark());
  const before = await log.before(watermark, { consistent: true });
  let whole = before !== undefined && before.last >= watermark ? before : { last: watermark, next: watermark + 1 };
  let after = whole.last;
  for (;;) {
    const { entries, more } = await log.oldest(PAGE, after);
    for (const entry of entries) {
      after = entry.last;
      if (entry.first === whole.next) whole = entry;
      else await table.delete({ Key: { pk: text(where.log), sk: text(position(entry.first)) } });
    }
    if (!more) return { end: whole.last, next: whole.next };
  }
}

async function seal(
  { table }: Parts,
  { where, clock, first, next }: { where: Partitions; clock: Clock; first: Version; next: Version },
): Promise<void> {
  const draft = { count: 0, nonce: 'seal', content: { to: number(next) } };
  const item = entryItem(draft, { where, first, committed: clock.now() });
  await table.put({ Item: item, ConditionExpression: 'attribute_not_exists(pk)' });
}
