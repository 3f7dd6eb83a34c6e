import type { Clock } from '#lib/machinery/clock.ts';
import type { Nftables, Remembered } from './nftables.ts';
import { type Table, type TableName } from './table.ts';
import { change, removal, replacement } from './transaction.ts';

/** The time in ms after which a kernel before 6.2 notices that no element refers to a chain any more. */
const FORGOTTEN = 1000;

/** The ports and settings of a TableSync. */
export interface TableSyncOptions {
  readonly nftables: Nftables;
  readonly table: TableName;
  readonly clock: Clock;
  /** Reports that empty chains could not be removed. The next sync replaces the table. */
  onCleanupFault(error: unknown): void;
}

/**
 * Applies a wanted state to a table that this program owns, incrementally. The first call and the call after a failure replace the table,
 * because its content is unknown. Only one call may run at a time.
 */
export class TableSync {
  readonly #options: TableSyncOptions;
  /** Undefined if the table has to be replaced. */
  #applied: Table | undefined;
  /** The empty chains and when they became empty. */
  readonly #stale = new Map<string, number>();

  constructor(options: TableSyncOptions) {
    this.#options = options;
  }

  /** Whether the kernel has the wanted state of the last call, as far as this process knows. */
  get isApplied(): boolean {
    return this.#applied !== undefined;
  }

  /** Whether chains still have to be removed. Another sync should then follow after a second. */
  get hasStale(): boolean {
    return this.#stale.size > 0;
  }

  /** Makes the next sync replace the table. */
  reset(): void {
    this.#applied = undefined;
  }

  /**
   * Applies the wanted state. Returns the size of the transaction in bytes, or 0 without a difference. Rejects if the transaction fails:
   * the next call then replaces the table.
   */
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

  /** Removes stale chains, except those that are wanted again. */
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

  /** The keys to keep across a replacement, so that clients keep their endpoints. They are lost if the kernel cannot list them. */
  async #remembered({ sets }: Table): Promise<Remembered | undefined> {
    const { nftables, table } = this.#options;
    const keepsSome = [...sets.values()].some(({ flags = [] }) => flags.includes('timeout'));
    return keepsSome ? nftables.remembered(table).catch(() => undefined) : undefined;
  }
}
