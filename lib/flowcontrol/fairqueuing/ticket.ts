import type { WorkEstimate } from '../request/work-estimate.ts';
import type { Queue } from './queue.ts';

/** Why a request is refused: upstream's reasons. */
export type Rejection = 'concurrency-limit' | 'queue-full' | 'time-out';

/** What is counted of the requests of one flow schema in one priority level. */
export class FlowCounts {
  waiting = 0;
  waitingSeats = 0;
  executing = 0;
  executingSeats = 0;
  dispatched = 0;
  readonly rejected: Record<Rejection, number> = { 'concurrency-limit': 0, 'queue-full': 0, 'time-out': 0 };
}

/** Upstream's guess at how long a request takes, in milliseconds, until it is known. */
export const SERVICE_DURATION = 3;

/** A request in a queue set: it waits, then holds seats, then holds none. */
export class Ticket {
  readonly counts: FlowCounts;
  readonly initialSeats: number;
  /** Seats that it holds from its dispatch on. */
  readonly seats: number;
  additionalLatency: number;
  finalSeats: number;
  /** Seat-milliseconds that it is expected to take. */
  readonly totalWork: number;
  readonly queue: Queue | undefined;
  state: 'waiting' | 'executing' | 'finished' = 'waiting';
  /** The progress of its queue set when it came. */
  arrival = 0;
  /** When it was dispatched, milliseconds that never go back. */
  started = 0;
  #settled: PromiseWithResolvers<boolean> | undefined;

  constructor(counts: FlowCounts, work: WorkEstimate, queue: Queue | undefined) {
    this.counts = counts;
    this.queue = queue;
    this.initialSeats = work.initialSeats;
    this.finalSeats = work.finalSeats;
    this.seats = Math.max(work.initialSeats, work.finalSeats);
    this.additionalLatency = work.additionalLatency;
    this.totalWork = work.initialSeats * SERVICE_DURATION + work.finalSeats * work.additionalLatency;
  }

  /** Resolves true when it holds its seats, false when it has left its queue without. */
  decided(): Promise<boolean> {
    if (this.state !== 'waiting') return Promise.resolve(this.state === 'executing');
    this.#settled ??= Promise.withResolvers<boolean>();
    return this.#settled.promise;
  }

  settle(executes: boolean): void {
    this.state = executes ? 'executing' : 'finished';
    this.#settled?.resolve(executes);
  }
}
