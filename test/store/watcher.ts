import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '#lib/storage/errors.ts';
import type { LogPage } from '#lib/storage/sequence.ts';
import { RECORDER } from './actor-options.ts';
import { record, type Seen } from './history.ts';
import { Replica, seenOf } from './replica.ts';
import { patiently, type World } from './writer.ts';

/** Follows the log with eventually consistent reads. Loads again after it has missed too much. Ends at the last version. */
export async function watch(world: World & { readonly lastVersion: () => number | undefined }): Promise<void> {
  const { options, sequence, random } = world;
  for (;;) {
    const replica = new Replica(sequence);
    await patiently(() => replica.load());
    const state = [...replica.state].map(([key, { version }]) => [key, version] as const);
    record(options.file, { kind: 'load', at: replica.head, state });
    for (let at = replica.head; ; ) {
      if (at >= (world.lastVersion() ?? Number.POSITIVE_INFINITY)) return;
      const limit = 1 + Math.floor(random() * 50);
      const page = await nextPage(world, at, { limit, consistent: false });
      if (page === 'expired') break;
      record(options.file, { kind: 'seen', changes: planted(world, page.changes.map(seenOf)), last: page.last });
      at = page.last;
      await sleep(random() * 20);
    }
  }
}

function planted({ options, random }: World, changes: Seen[]): Seen[] {
  if (changes.length === 0 || random() > 0.2) return changes;
  if (options.plant === 'skip') return changes.slice(1);
  if (options.plant === 'duplicate') return changes.slice(0, 1).concat(changes);
  return changes;
}

/** Reads everything from the start. Its cursor was set before the processes started, and prevents earlier deletion. */
export async function recordAll(world: World & { readonly lastVersion: () => number | undefined }): Promise<void> {
  const { options, sequence } = world;
  record(options.file, { kind: 'load', at: 0, state: [] });
  for (let at = 0; at < (world.lastVersion() ?? Number.POSITIVE_INFINITY); ) {
    const page = await nextPage(world, at, { limit: 500, consistent: true });
    if (page === 'expired') throw new Error(`the log behind ${at} was dropped before its reader's cursor`);
    record(options.file, { kind: 'seen', changes: page.changes.map(seenOf), last: page.last });
    const from = at;
    if (page.last > from) await patiently(() => sequence.marks.moveCursor(RECORDER, from, page.last));
    at = page.last;
    await sleep(20);
  }
}

interface How {
  readonly limit: number;
  readonly consistent: boolean;
}

async function nextPage({ sequence }: World, at: number, how: How): Promise<LogPage | 'expired'> {
  for (;;) {
    try {
      return await sequence.readLog(at, how);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.code === 'Expired') return 'expired';
      if (error.code !== 'Overloaded' && error.code !== 'Unavailable') throw error;
      await sleep(5);
    }
  }
}
