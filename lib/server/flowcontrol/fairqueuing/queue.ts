import type { WorkEstimate } from '../request/work-estimate.ts';
import type { FlowCounts } from './flow-counts.ts';

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

/** Requests that wait in the order in which they came, and what those hold that were dispatched from here. */
export class Queue {
  readonly #waiting: Ticket[] = [];
  /** Seat-milliseconds that wait. */
  waitingWork = 0;
  executing = 0;
  /** The progress of the queue set at which its next request is due. */
  nextDispatch = 0;

  get length(): number {
    return this.#waiting.length;
  }

  get oldest(): Ticket | undefined {
    return this.#waiting[0];
  }

  get isActive(): boolean {
    return this.#waiting.length > 0 || this.executing > 0;
  }

  push(ticket: Ticket): void {
    this.#waiting.push(ticket);
    this.waitingWork += ticket.totalWork;
  }

  remove(ticket: Ticket): void {
    this.#waiting.splice(this.#waiting.indexOf(ticket), 1);
    this.waitingWork = this.#waiting.length === 0 ? 0 : this.waitingWork - ticket.totalWork;
  }

  /** Nothing is dispatched before it came: an idle queue saves nothing up. */
  bound(): void {
    const [oldest] = this.#waiting;
    if (oldest !== undefined && this.nextDispatch < oldest.arrival) this.nextDispatch = oldest.arrival;
  }
}
