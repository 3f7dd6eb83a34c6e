import type { WorkEstimate } from '../request/work-estimate.ts';
import type { FlowCounts } from './flow-counts.ts';

/** Upstream's estimate of a request's duration in ms, used until the request ends. */
export const SERVICE_DURATION = 3;

/** A request in a queue set. It waits, then holds seats, then is finished. */
export class Ticket {
  readonly counts: FlowCounts;
  readonly initialSeats: number;
  /** The seats that it holds after its dispatch. */
  readonly seats: number;
  additionalLatency: number;
  finalSeats: number;
  /** Its expected seat-milliseconds. */
  readonly totalWork: number;
  readonly queue: Queue | undefined;
  state: 'waiting' | 'executing' | 'finished' = 'waiting';
  /** The progress of its queue set at arrival. */
  arrival = 0;
  /** The monotonic time of its dispatch in ms. */
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

  /** Resolves to true if the request holds its seats, and to false if it left its queue without them. */
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

/** The waiting requests in order of arrival, and the number of running requests from this queue. */
export class Queue {
  readonly #waiting: Ticket[] = [];
  /** The seat-milliseconds of waiting requests. */
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

  /** Limits `nextDispatch` to the arrival of the oldest request, so that an idle queue saves no credit. */
  bound(): void {
    const [oldest] = this.#waiting;
    if (oldest !== undefined && this.nextDispatch < oldest.arrival) this.nextDispatch = oldest.arrival;
  }
}
