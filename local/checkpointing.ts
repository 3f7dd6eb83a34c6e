import type { Apiserver } from '#functions/apiserver/wiring.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { SequenceStore, Version } from '#lib/storage/sequence.ts';
import type { Storage } from '#lib/storage/storage.ts';

/** Interval in ms between two checks for new writes. */
const EVERY = 2000;

/** The ports and settings of checkpointing. */
export interface CheckpointingOptions {
  readonly clock: Clock;
  /** How long log entries are kept, in ms. Each sequence is also folded again after this time, to remove old entries. */
  readonly retention: number;
  readonly signal: AbortSignal;
  reportFault(auditId: string, error: unknown): void;
}

interface Folded {
  readonly head: Version;
  /** Monotonic time. */
  readonly at: number;
}

/**
 * Folds logs into their state until the signal aborts. A sequence without writes costs no read. A full disk is reported once, until a fold
 * succeeds.
 */
export async function checkpointing(
  server: Apiserver,
  store: SequenceStore,
  options: CheckpointingOptions,
): Promise<void> {
  const { clock, retention, signal, reportFault } = options;
  const open = new Map<string, Storage>();
  const folded = new Map<string, Folded>();
  let isFull = false;
  server.onStorage((storage, name) => open.set(name, storage));
  while (!signal.aborted) {
    await clock.sleep(EVERY, signal);
    for (const [name, storage] of open) {
      if (signal.aborted) return;
      try {
        const head = await storage.head();
        const before = folded.get(name);
        if (before?.head === head && clock.monotonic() - before.at < retention) continue;
        folded.set(name, { head, at: clock.monotonic() });
        await store.sequence(name).compact();
        isFull = false;
      } catch (error) {
        folded.delete(name);
        const wasFull = isFull;
        isFull = error instanceof StoreError && error.code === 'NoSpace';
        if (!isFull || !wasFull) reportFault(`checkpoint of ${name}`, error);
      }
    }
  }
}
