import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Value } from '#lib/machinery/metrics/value.ts';

/** The file in the agent's directory with the times of the last shutdown. */
export const SHUTDOWN_STATE_FILE = 'graceful_node_shutdown_state';

/** The times of a graceful shutdown as RFC 3339, or the zero time before the first one. */
export interface ShutdownTimes {
  readonly startTime: string;
  readonly endTime: string;
}

/** Stores the times across a restart of the machine. Methods throw the errors of the file system. */
export interface ShutdownStateFile {
  /** Undefined before the first shutdown. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** Go's zero time. */
const NEVER = '0001-01-01T00:00:00Z';

/** The times of the last graceful shutdown, stored in a file and exposed as metrics under upstream's names. */
export class ShutdownState implements Collector {
  readonly #file: ShutdownStateFile;
  readonly #start = gauge('start', 'Last graceful shutdown start time since unix epoch in seconds');
  readonly #end = gauge('end', 'Last graceful shutdown end time since unix epoch in seconds');

  constructor(file: ShutdownStateFile) {
    this.#file = file;
  }

  /** Reads the times of the previous shutdown. Throws for an invalid file. */
  async load(): Promise<void> {
    const text = await this.#file.read();
    if (text === undefined) return;
    const state: unknown = JSON.parse(text);
    if (typeof state !== 'object' || state === null) throw new TypeError('the state of the shutdown is no object');
    if ('startTime' in state) setTo(this.#start, state.startTime);
    if ('endTime' in state) setTo(this.#end, state.endTime);
  }

  /** Times are in milliseconds since 1970. `end` is absent while the shutdown is in progress. */
  async store(start: number, end?: number): Promise<void> {
    this.#start.set(Math.trunc(start / 1000));
    this.#end.set(Math.trunc((end ?? 0) / 1000));
    const times: ShutdownTimes = { startTime: timeOf(start), endTime: end === undefined ? NEVER : timeOf(end) };
    await this.#file.write(JSON.stringify(times));
  }

  collect(): readonly Family[] {
    return [...this.#start.collect(), ...this.#end.collect()];
  }
}

const gauge = (which: 'start' | 'end', help: string): Value =>
  new Value({ type: 'gauge', name: `kubelet_graceful_shutdown_${which}_time_seconds`, help });

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

function setTo(value: Value, time: unknown): void {
  const milliseconds = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  if (milliseconds > 0) value.set(Math.trunc(milliseconds / 1000));
}
