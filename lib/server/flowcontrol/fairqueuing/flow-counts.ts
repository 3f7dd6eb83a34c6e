/** The reason for a rejection, in upstream's terms. */
export type Rejection = 'concurrency-limit' | 'queue-full' | 'time-out';

/** The request counters of one flow schema in one priority level. */
export class FlowCounts {
  waiting = 0;
  waitingSeats = 0;
  executing = 0;
  executingSeats = 0;
  dispatched = 0;
  readonly rejected: Record<Rejection, number> = { 'concurrency-limit': 0, 'queue-full': 0, 'time-out': 0 };
}
