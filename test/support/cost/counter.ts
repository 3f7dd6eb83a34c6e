import type { Count, FunctionName, Tally } from '../../../scripts/cost/tally.ts';

/** Counts everything that is billed by count. */
export class Counter {
  #counts = new Map<Count, number>();

  add(name: Count, number = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + number);
  }

  /** Adds calls to DynamoDB. */
  addCalls(name: FunctionName, { reads, writes, readUnits, writeUnits }: TableCounts): void {
    this.add(`${name}: calls`, reads + writes);
    this.add(`${name}: read units`, readUnits);
    this.add(`${name}: write units`, writeUnits);
  }

  /** Returns the counts since the last call, or since the start. */
  take(): Tally {
    const tally: Tally = Object.fromEntries(this.#counts);
    this.#counts = new Map();
    return tally;
  }
}

/** Calls to a table and their units. */
export interface TableCounts {
  reads: number;
  writes: number;
  readUnits: number;
  writeUnits: number;
}
