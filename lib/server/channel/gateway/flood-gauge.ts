import type { Clock } from '#lib/machinery/clock.ts';
import type { Connections } from './connections.ts';

/** The maximum messages per second of a connection, averaged over a window. */
const LIMIT = 200;
/** The length of a window in ms. */
const WINDOW = 10_000;
/** The sampling rate: one in this many messages is counted, with this weight, because each count costs a write. */
const SAMPLE = 25;

export interface FloodGaugePorts {
  readonly clock: Clock;
  readonly connections: Pick<Connections, 'count'>;
  /** Returns a random number in [0, 1). */
  random(): number;
}

/**
 * Measures whether a connection sends too much. Its messages are spread over processes that share only the table, so they are sampled
 * randomly. A window of 2,000 messages has 80 counts, plus or minus 9.
 */
export class FloodGauge {
  readonly #ports: FloodGaugePorts;

  constructor(ports: FloodGaugePorts) {
    this.#ports = ports;
  }

  /** Records a message. Returns whether the connection must be closed. Throws StoreError. */
  async overflows(connection: string): Promise<boolean> {
    const { clock, connections, random } = this.#ports;
    if (random() >= 1 / SAMPLE) return false;
    const window = Math.floor(clock.now() / WINDOW);
    return (await connections.count(connection, window, SAMPLE)) > (LIMIT * WINDOW) / 1000;
  }
}
