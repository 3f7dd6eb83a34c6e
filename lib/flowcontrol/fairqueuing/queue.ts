import type { Ticket } from './ticket.ts';

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
