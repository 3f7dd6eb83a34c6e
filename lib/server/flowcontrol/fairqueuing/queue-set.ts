import type { Clock } from '#lib/machinery/clock.ts';
import type { QueueSettings } from '../configuration.ts';
import type { WorkEstimate } from '../request/work-estimate.ts';
import type { SeatDemand } from '../seat-demand.ts';
import type { FlowCounts, Rejection } from './flow-counts.ts';
import { Queue, SERVICE_DURATION, Ticket } from './queue.ts';

/** An arriving request: its counters, its estimated cost, and the queues of its flow. */
export interface Arrival {
  readonly counts: FlowCounts;
  readonly work: WorkEstimate;
  readonly hand: readonly number[];
}

/**
 * The seats of one priority level and its queues: upstream's fair queuing for server requests (KEP-1040). Every busy queue gets the same
 * share of the seats over time. `progress` measures the service that each busy queue is due. The next request comes from the queue that
 * would finish it first by that measure.
 */
export class QueueSet {
  readonly #clock: Clock;
  readonly #demand: SeatDemand;
  #queuing: QueueSettings = { queues: 0, handSize: 0, lengthLimit: 0 };
  #limit = 0;
  #queues: Queue[] = [];
  /** The seat-milliseconds due to each busy queue since the start. */
  #progress = 0;
  #progressed: number;
  #lastServed = 0;
  #arrived = 0;
  #active = 0;
  #waiting = 0;
  #waitingSeats = 0;
  #executing = 0;
  #seatsInUse = 0;

  constructor(clock: Clock, demand: SeatDemand) {
    this.#clock = clock;
    this.#demand = demand;
    this.#progressed = clock.monotonic();
  }

  get waiting(): number {
    return this.#waiting;
  }

  get executing(): number {
    return this.#executing;
  }

  get seatsInUse(): number {
    return this.#seatsInUse;
  }

  get isIdle(): boolean {
    return this.#waiting === 0 && this.#executing === 0;
  }

  /** Changes the number of queues and the limit. Adds missing queues at once and drains excess ones. */
  configure(queuing: QueueSettings, limit: number): void {
    this.#advance();
    this.#queuing = queuing;
    this.#limit = limit;
    while (this.#queues.length < queuing.queues) this.#queues.push(new Queue());
    this.#queues = this.#queues.filter((queue, i) => i < queuing.queues || queue.isActive);
    this.#dispatchAll();
  }

  /** Starts or queues the request. Returns the reason if it is rejected. */
  start(arrival: Arrival): Ticket | Rejection {
    this.#advance();
    const started = this.#queuing.queues < 1 ? this.#startAtOnce(arrival) : this.#enqueue(arrival);
    if (typeof started === 'string') arrival.counts.rejected[started]++;
    this.#note();
    return started;
  }

  /** Removes a waiting request from its queue. */
  cancel(ticket: Ticket): void {
    const { queue, counts } = ticket;
    if (ticket.state !== 'waiting' || queue === undefined) return;
    this.#advance();
    this.#leave(queue, ticket);
    if (!queue.isActive) this.#active--;
    queue.bound();
    counts.rejected['time-out']++;
    ticket.settle(false);
    this.#note();
  }

  /** Ends a served request. Its seats become free after its additional latency. */
  finish(ticket: Ticket): void {
    if (ticket.state !== 'executing') return;
    ticket.state = 'finished';
    const now = this.#advance();
    this.#executing--;
    ticket.counts.executing--;
    if (ticket.queue !== undefined) this.#settleAccount(ticket.queue, ticket, now - ticket.started);
    if (ticket.additionalLatency <= 0) this.#release(ticket);
    else void this.#clock.sleep(ticket.additionalLatency).then(() => this.#release(ticket));
  }

  #startAtOnce({ counts, work }: Arrival): Ticket | Rejection {
    const ticket = new Ticket(counts, work, undefined);
    if (!this.#accommodates(ticket.seats)) return 'concurrency-limit';
    this.#execute(ticket);
    return ticket;
  }

  #enqueue({ counts, work, hand }: Arrival): Ticket | Rejection {
    const queue = this.#choose(hand);
    if (this.#seatsInUse >= this.#limit && queue.length >= this.#queuing.lengthLimit) return 'queue-full';
    const ticket = new Ticket(counts, work, queue);
    ticket.arrival = this.#progress;
    if (!queue.isActive) {
      queue.nextDispatch = this.#progress;
      this.#active++;
    }
    queue.push(ticket);
    this.#waiting++;
    this.#waitingSeats += ticket.seats;
    counts.waiting++;
    counts.waitingSeats += ticket.seats;
    queue.bound();
    this.#dispatchAll(queue);
    return ticket;
  }

  /** Returns the queue of the hand with the least work. Ties are broken round-robin. */
  #choose(hand: readonly number[]): Queue {
    const offset = this.#arrived++ % hand.length;
    let best: Queue | undefined;
    for (let i = 0; i < hand.length; i++) {
      const queue = this.#queues[hand[(offset + i) % hand.length] as number] as Queue;
      if (best === undefined || queue.waitingWork < best.waitingWork) best = queue;
    }
    return best as Queue;
  }

  /** Dispatches requests while seats are free. If only one request waits and its queue is known, skips the search. */
  #dispatchAll(known?: Queue): void {
    while (this.#waiting > 0 && this.#seatsInUse < this.#limit) {
      const queue = this.#waiting === 1 && known?.oldest !== undefined ? known : this.#nextQueue();
      const ticket = queue?.oldest;
      if (queue === undefined || ticket === undefined || !this.#accommodates(ticket.seats)) return;
      this.#lastServed = this.#queues.indexOf(queue);
      this.#dispatch(queue, ticket);
    }
  }

  /** Returns the queue that would finish its oldest request first. In a tie, returns the first queue after the last served one. */
  #nextQueue(): Queue | undefined {
    let best: Queue | undefined;
    let least = Number.POSITIVE_INFINITY;
    const all = this.#queues.length;
    for (let i = 1; i <= all; i++) {
      const queue = this.#queues[(this.#lastServed + i) % all] as Queue;
      const done = queue.oldest === undefined ? least : queue.nextDispatch + queue.oldest.totalWork;
      if (done >= least) continue;
      least = done;
      best = queue;
    }
    return best;
  }

  #dispatch(queue: Queue, ticket: Ticket): void {
    this.#leave(queue, ticket);
    if (ticket.finalSeats > this.#limit) {
      ticket.additionalLatency *= ticket.finalSeats / this.#limit;
      ticket.finalSeats = this.#limit;
    }
    queue.executing++;
    queue.nextDispatch += ticket.totalWork;
    this.#execute(ticket);
    queue.bound();
  }

  #leave(queue: Queue, ticket: Ticket): void {
    queue.remove(ticket);
    this.#waiting--;
    this.#waitingSeats -= ticket.seats;
    ticket.counts.waiting--;
    ticket.counts.waitingSeats -= ticket.seats;
  }

  #execute(ticket: Ticket): void {
    ticket.started = this.#clock.monotonic();
    this.#executing++;
    this.#seatsInUse += ticket.seats;
    ticket.counts.executing++;
    ticket.counts.executingSeats += ticket.seats;
    ticket.counts.dispatched++;
    ticket.settle(true);
  }

  /** Whether the request can start. A request that needs more seats than the limit runs only alone. */
  #accommodates(seats: number): boolean {
    if (this.#queuing.queues < 0) return true;
    if (seats > this.#limit) return this.#executing === 0;
    return this.#seatsInUse + seats <= this.#limit;
  }

  /** Charges the queue for the actual duration of the request instead of the estimate. */
  #settleAccount(queue: Queue, ticket: Ticket, took: number): void {
    queue.executing--;
    queue.nextDispatch -= ticket.initialSeats * (SERVICE_DURATION - took);
    queue.bound();
    if (!queue.isActive) this.#active--;
  }

  #release(ticket: Ticket): void {
    const { queue, seats, counts } = ticket;
    this.#advance();
    this.#seatsInUse -= seats;
    counts.executingSeats -= seats;
    if (this.#queues.length > this.#queuing.queues && queue?.isActive === false) this.#drop(queue);
    this.#dispatchAll();
    this.#note();
  }

  /** Removes an empty excess queue. Later queues move up. */
  #drop(queue: Queue): void {
    const index = this.#queues.indexOf(queue);
    if (index < 0) return;
    this.#queues.splice(index, 1);
    if (this.#lastServed >= index) this.#lastServed--;
  }

  /** Advances `progress` by the time since the last state change. */
  #advance(): number {
    const now = this.#clock.monotonic();
    if (this.#active > 0) {
      const busy = Math.min(this.#seatsInUse + this.#waitingSeats, this.#limit);
      this.#progress += (busy / this.#active) * (now - this.#progressed);
    }
    this.#progressed = now;
    return now;
  }

  #note(): void {
    this.#demand.set(this.#progressed, this.#seatsInUse + this.#waitingSeats);
  }
}
