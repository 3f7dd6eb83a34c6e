import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { AppendResult, Version } from '#lib/storage/sequence.ts';
import type { Chunks } from './chunks.ts';
import { type Draft, type Entry, entryChanges, entryItem, readEntry } from './entry.ts';
import { conflictingItem, faultOf, storeError } from './faults.ts';
import type { Partitions } from './layout.ts';
import type { Log } from './log.ts';
import type { Table } from './port.ts';
import { momentOf, type Proof } from './proof.ts';
import { pauses } from './retry.ts';

/** The proof is too old. The caller has to prove the head and try again. `doubt` is the error of a put that may have succeeded. */
interface Unproven {
  readonly doubt: unknown;
}

/** Commits with one conditional put. The put is retried only if its nonce can identify the entry. */
export class Append {
  readonly #clock: Clock;
  /** A table client that does not retry by itself. */
  readonly #table: Table;
  readonly #of: { log: Log; proof: Proof; chunks: Chunks; where: Partitions };

  constructor(clock: Clock, table: Table, of: { log: Log; proof: Proof; chunks: Chunks; where: Partitions }) {
    this.#clock = clock;
    this.#table = table;
    this.#of = of;
  }

  /** Puts the draft after `after`, the end of the last complete entry that this process saw. */
  async put(draft: Draft, after: Version): Promise<AppendResult | Unproven> {
    const { proof, where } = this.#of;
    const first = after + 1;
    const sent = momentOf(this.#clock);
    const pauseAfter = pauses();
    let ambiguous: unknown;
    for (;;) {
      const proven = proof.fresh();
      if (proven === undefined) return { doubt: ambiguous };
      try {
        const item = entryItem(draft, { where, first, committed: this.#clock.now() });
        await this.#table.put(
          {
            Item: item,
            ConditionExpression: 'attribute_not_exists(pk)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
          { signedAt: proven.wall },
        );
        proof.prove(this.#of.log.remember(readEntry(item, where)).last, sent);
        return committed(draft, first);
      } catch (error) {
        const fault = faultOf(error);
        if (fault === 'condition') return this.#taken(draft, { first, item: conflictingItem(error), ambiguous });
        if (fault === 'ambiguous') ambiguous = error;
        const pause = pauseAfter(fault);
        if (pause === undefined) throw storeError(ambiguous ?? error);
        await this.#clock.sleep(pause);
      }
    }
  }

  /**
   * Handles a failed condition. If the error does not contain the existing entry, the entry is read first, because this process may have
   * written it itself. If no entry exists, this put lost, but an earlier put without a response may still arrive.
   */
  async #taken(draft: Draft, { first, item, ambiguous }: Refusal): Promise<AppendResult> {
    const { log, where } = this.#of;
    const entry = item === undefined ? await log.at(first) : log.remember(readEntry(item, where));
    if (entry !== undefined) return this.outcome(draft.nonce, entry);
    if (ambiguous !== undefined) throw storeError(ambiguous);
    return { ok: false };
  }

  /** The result of an append that found an entry at its position. An entry with the same nonce is an earlier success. */
  async outcome(nonce: string, entry: Entry): Promise<AppendResult> {
    if (entry.sealed) throw new StoreError('Expired', 'the epoch has ended');
    this.#of.proof.saw(entry.last);
    if (entry.nonce === nonce) return { ok: true, first: entry.first, last: entry.last };
    return { ok: false, winner: await entryChanges(entry, this.#of.chunks), last: entry.last };
  }
}

const committed = (draft: Draft, first: Version): AppendResult => ({
  ok: true,
  first,
  last: first + Math.max(draft.count, 1) - 1,
});

interface Refusal {
  readonly first: Version;
  readonly item: Parameters<typeof readEntry>[0] | undefined;
  /** The error of an earlier attempt that may have succeeded. */
  readonly ambiguous: unknown;
}
