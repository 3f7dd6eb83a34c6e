import { StoreError } from '../errors.ts';
import type { Sequence, SequenceStore } from '../sequence.ts';

/** The possible faults of an append: it is throttled, never arrives, succeeds without a response, or loses to another append. */
export type AppendFault = 'none' | 'throttle' | 'loseRequest' | 'loseAnswer' | 'conflict';

/** Decides which fault each call has. */
export interface Faults {
  append?(name: string): AppendFault;
  /** The number of the latest changes that an eventually consistent read does not return yet. */
  staleness?(name: string): number;
}

/** Wraps a sequence with backend faults that the contract allows. */
export function faultySequence(name: string, inner: Sequence, faults: Faults): Sequence {
  let conflicts = 0;
  return {
    marks: inner.marks,
    head: () => inner.head(),
    read: (key) => inner.read(key),
    snapshot: (options) => inner.snapshot(options),
    extent: (prefix) => inner.extent(prefix),
    compact: () => inner.compact(),
    positionBefore: (time) => inner.positionBefore(time),
    raiseEpoch: () => inner.raiseEpoch(),
    close: () => inner.close(),
    append: async (after, proposals, options) => {
      const fault = faults.append?.(name) ?? 'none';
      if (fault === 'throttle') throw new StoreError('Overloaded', 'injected: throttled');
      if (fault === 'loseRequest') throw new StoreError('Unavailable', 'injected: the request was lost');
      if (fault === 'conflict') await inner.append(after, [], { nonce: `injected-${options.nonce}-${++conflicts}` });
      const result = await inner.append(after, proposals, options);
      if (fault === 'conflict' && !result.ok) return { ok: false };
      if (fault === 'loseAnswer') throw new StoreError('Unavailable', 'injected: the answer was lost');
      return result;
    },
    readLog: async (after, options) => {
      const unseen = options.consistent ? 0 : (faults.staleness?.(name) ?? 0);
      const page = await inner.readLog(after, options);
      if (unseen === 0 || page.more) return page;
      const changes = page.changes.slice(0, Math.max(0, page.changes.length - unseen));
      if (changes.length === page.changes.length) return page;
      return { changes, last: changes.at(-1)?.version ?? after, more: false };
    },
  };
}

/** Wraps a store so that all its sequences have faults. */
export function faultyStore(inner: SequenceStore, faults: Faults): SequenceStore {
  const sequences = new Map<string, Sequence>();
  return {
    sequence: (name) => {
      const sequence = sequences.get(name) ?? faultySequence(name, inner.sequence(name), faults);
      sequences.set(name, sequence);
      return sequence;
    },
    names: () => inner.names(),
    close: () => inner.close(),
  };
}
