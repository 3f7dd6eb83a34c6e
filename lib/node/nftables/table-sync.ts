import type { Clock } from '#lib/machinery/clock.ts';
import type { Nftables, Remembered } from './nftables.ts';
import { type Table, type TableName } from './table.ts';
import { change, removal, replacement } from './transaction.ts';

/** Milliseconds after which a kernel before 6.2 knows that no element leads to a chain any more. */
const FORGOTTEN = 1000;

/** The parts of a TableSync. */
export interface TableSyncOptions {
  readonly nftables: Nftables;
  readonly table: TableName;
  readonly clock: Clock;
  /** Empty chains could not be removed: the table is replaced. */
  onCleanupFault(error: unknown): void;
}

/**
 * Brings a table of this program's own to a wanted state, by differences. The first time, and after a failure, it replaces the table:
 * nobody knows then what is in it. One call at a time.
 */
export class TableSync {
  readonly #options: TableSyncOptions;
  /** Undefined: the table has to be replaced. */
  #applied: Table | undefined;
  /** Empty chains, and when they became so. */
  readonly #stale = new Map<string, number>();

  constructor(options: TableSyncOptions) {
    this.#options = options;
  }

  /** Whether the kernel has the wanted state of the last call, as far as this process knows. */
  get isApplied(): boolean {
    return this.#applied !== undefined;
  }

  /** Whether chains wait for their removal: then another sync is to follow after a second. */
  get hasStale(): boolean {
    return this.#stale.size > 0;
  }

  /** Has the next sync replace the table. */
  reset(): void {
    this.#applied = undefined;
  }

  /** Applies the wanted state. Gives the bytes of its transaction, 0 where nothing was to do. Rejects where the transaction fails; the next call replaces the table. */
  async sync(wanted: Table): Promise<number> {
    await this.#removeStale(wanted);
    const { table, clock, nftables } = this.#options;
    const applied = this.#applied;
    const next = applied && change(table, applied, wanted);
    if (next?.commands === '') {
      this.#applied = wanted;
      return 0;
    }
    const commands = next?.commands ?? replacement(table, wanted, await this.#remembered(wanted));
    this.#applied = undefined;
    await nftables.apply(commands);
    this.#applied = wanted;
    if (next === undefined) this.#stale.clear();
    for (const chain of next?.stale ?? []) this.#stale.set(chain, clock.monotonic());
    return commands.length;
  }

  /** A chain that is wanted again is empty, and stays. */
  async #removeStale(wanted: Table): Promise<void> {
    const { table, clock, nftables, onCleanupFault } = this.#options;
    const now = clock.monotonic();
    for (const chain of this.#stale.keys()) if (wanted.chains.has(chain)) this.#stale.delete(chain);
    const forgotten = [...this.#stale].filter(([, since]) => now - since > FORGOTTEN).map(([chain]) => chain);
    if (this.#applied === undefined || forgotten.length === 0) return;
    for (const chain of forgotten) this.#stale.delete(chain);
    try {
      await nftables.apply(removal(table, forgotten));
    } catch (error) {
      this.#applied = undefined;
      onCleanupFault(error);
    }
  }

  /** Clients keep their endpoints over a replacement. Where the kernel does not tell the keys they are lost. */
  async #remembered({ sets }: Table): Promise<Remembered | undefined> {
    const { nftables, table } = this.#options;
    const keepsSome = [...sets.values()].some(({ flags = [] }) => flags.includes('timeout'));
    return keepsSome ? nftables.remembered(table).catch(() => undefined) : undefined;
  }
}
