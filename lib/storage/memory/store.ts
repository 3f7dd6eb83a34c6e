import type { DependentsIndex } from '../dependents.ts';
import { StoreError } from '../errors.ts';
import { compareKeys } from '../keys.ts';
import type { SequenceStore } from '../sequence.ts';
import { MemoryLog } from './log.ts';
import { MemorySequence, type SequenceOptions } from './sequence.ts';

/** The data of a store. Pass it to another store to reopen the same data. */
export class MemoryDisk {
  readonly logs = new Map<string, MemoryLog>();

  log(name: string, now: number): MemoryLog {
    const log = this.logs.get(name) ?? new MemoryLog(now);
    this.logs.set(name, log);
    return log;
  }

  /** An independent copy of the current data. */
  fork(): MemoryDisk {
    const fork = new MemoryDisk();
    for (const [name, log] of this.logs) fork.logs.set(name, log.fork());
    return fork;
  }
}

/** The options of an in-memory store. A disk keeps the data across restarts. */
export interface MemoryOptions extends SequenceOptions {
  readonly disk?: MemoryDisk;
}

/** Sequences in the memory of this process, for tests and as the model of the contract. */
export class MemoryStore implements SequenceStore, DependentsIndex {
  readonly #options: MemoryOptions;
  readonly #disk: MemoryDisk;
  readonly #sequences = new Map<string, MemorySequence>();
  #closed = false;

  constructor(options: MemoryOptions) {
    this.#options = options;
    this.#disk = options.disk ?? new MemoryDisk();
  }

  sequence(name: string): MemorySequence {
    if (this.#closed) throw new StoreError('Closed', 'the store was closed');
    const open = () => this.#disk.log(name, this.#options.clock.now());
    const sequence = this.#sequences.get(name) ?? new MemorySequence(open, this.#options);
    this.#sequences.set(name, sequence);
    return sequence;
  }

  async names(): Promise<string[]> {
    if (this.#closed) throw new StoreError('Closed', 'the store was closed');
    return [...this.#disk.logs.keys()].sort(compareKeys);
  }

  async dependents(cluster: string, owner: string): Promise<string[]> {
    const logs = [...this.#disk.logs].filter(([name]) => name.startsWith(`${cluster}/`));
    const known = logs.flatMap(([, { owners }]) => [...owners]);
    return known.flatMap(([key, owners]) => (owners.has(owner) ? key : [])).sort(compareKeys);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const sequence of this.#sequences.values()) await sequence.close();
  }
}
