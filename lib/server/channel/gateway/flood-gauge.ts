import type { Clock } from '#lib/machinery/clock.ts';
import type { Connections } from './connections.ts';

/** Messages a second that a connection may send, on average over a window. */
const LIMIT = 200;
/** Milliseconds of a window. */
const WINDOW = 10_000;
/** One message of so many is counted, as so many: a count for each would cost a write for each. */
const SAMPLE = 25;

export interface FloodGaugePorts {
  readonly clock: Clock;
  readonly connections: Pick<Connections, 'count'>;
  /** Draws a number from 0 to below 1. */
  random(): number;
}

/**
 * Measures whether a connection sends too much. Its messages are spread over processes that share nothing but the table, so some of them, by
 * chance, stand for all: a window of 2,000 messages is 80 counts, give or take 9.
 */
export class FloodGauge {
  readonly #ports: FloodGaugePorts;

  constructor(ports: FloodGaugePorts) {
    this.#ports = ports;
  }

  /** Notes a message: whether the connection has to be closed. Throws StoreError. */
  async overflows(connection: string): Promise<boolean> {
    const { clock, connections, random } = this.#ports;
    if (random() >= 1 / SAMPLE) return false;
    const window = Math.floor(clock.now() / WINDOW);
    return (await connections.count(connection, window, SAMPLE)) > (LIMIT * WINDOW) / 1000;
  }
}
