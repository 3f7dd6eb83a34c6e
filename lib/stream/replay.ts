import { StoreError } from '#lib/storage/errors.ts';
import type { Sequence, SequenceStore, Version } from '#lib/storage/sequence.ts';
import type { Consumer } from './consumer.ts';
import type { DeadLetter, DeadLetters } from './dead-letters.ts';
import { LogReader } from './log-reader.ts';

/** The result of a replay. */
export interface ReplayResult {
  readonly delivered: number;
  /** Changes that still cannot be delivered. Their dead letters are kept or created. */
  readonly refused: readonly { readonly version: Version; readonly reason: string }[];
}

/**
 * Delivers a log again from a version up to its head, without moving a cursor. Consumers drop known changes by version. Throws StoreError
 * Expired if the log no longer reaches back that far.
 */
export async function replayLog(
  name: string,
  from: Version,
  {
    store,
    consumer,
    deadLetters,
    now,
  }: { store: SequenceStore; consumer: Consumer; deadLetters: DeadLetters; now(): number },
): Promise<ReplayResult> {
  const log = new LogReader(store.sequence(name));
  const refused: { version: Version; reason: string }[] = [];
  let delivered = 0;
  for (let after = Math.max(0, from - 1), more = true; more; ) {
    const page = await log.page(after);
    for (const undeliverable of await consumer.deliver(name, page.changes)) {
      refused.push(undeliverable);
      await deadLetters.put({ ...undeliverable, consumer: consumer.reader, sequence: name, at: now() });
    }
    delivered += page.changes.length;
    ({ last: after, more } = page);
  }
  return { delivered: delivered - new Set(refused.map(({ version }) => version)).size, refused };
}

/** Redelivers all dead letters of a consumer and removes the accepted ones. */
export async function replayDeadLetters({
  store,
  consumer,
  deadLetters,
}: {
  store: SequenceStore;
  consumer: Consumer;
  deadLetters: DeadLetters;
}): Promise<ReplayResult> {
  const refused: { version: Version; reason: string }[] = [];
  let delivered = 0;
  for await (const deadLetter of deadLetters.all()) {
    if (deadLetter.consumer !== consumer.reader) continue;
    const reason = await redeliver(deadLetter, consumer, store);
    if (reason !== undefined) {
      refused.push({ version: deadLetter.version, reason });
      continue;
    }
    await deadLetters.remove(deadLetter);
    delivered += 1;
  }
  return { delivered, refused };
}

/** Undefined if the change was accepted, otherwise the reason. */
async function redeliver(
  deadLetter: DeadLetter,
  consumer: Consumer,
  store: SequenceStore,
): Promise<string | undefined> {
  const { entry, sequence, version } = deadLetter;
  if (entry !== undefined) return (await consumer.resend([entry])).get(entry);
  const change = await changeAt(store.sequence(sequence), version);
  if (change === undefined) return 'nothing could be made of it, and the log no longer has it';
  return (await consumer.deliver(sequence, [change]))[0]?.reason;
}

async function changeAt(sequence: Sequence, version: Version) {
  try {
    const { changes } = await new LogReader(sequence).page(version - 1);
    return changes.find((change) => change.version === version);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'Expired') return undefined;
    throw error;
  }
}
