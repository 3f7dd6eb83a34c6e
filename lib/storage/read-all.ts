import { readTail } from './cache/log-reader.ts';
import { StoreError } from './errors.ts';
import type { SequenceStore } from './sequence.ts';

/** The result of `readAll`. */
export interface Totals {
  sequences: number;
  objects: number;
  changes: number;
}

/**
 * Reads the state and log of every sequence. The store itself reports damaged objects. Yields a line for each sequence that cannot be read
 * to its end.
 */
export async function* readAll(store: SequenceStore, totals: Totals): AsyncGenerator<string, void> {
  for (const name of await store.names()) {
    totals.sequences++;
    const sequence = store.sequence(name);
    for (const read of [
      async () => {
        for await (const _ of (await sequence.snapshot({ prefix: '' })).entries) totals.objects++;
      },
      async () => {
        const start = await sequence.positionBefore(0);
        for await (const { changes } of readTail(sequence, start)) totals.changes += changes.length;
      },
    ]) {
      const fault = await read().then(() => undefined, faultOf);
      if (fault !== undefined) yield `${name}: ${fault}`;
    }
  }
}

function faultOf(error: unknown): string {
  if (error instanceof StoreError) return error.message;
  throw error;
}
