import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { Turns } from './turns.ts';

/** Time in ms that requests may work in one turn of the event loop before they yield to others. */
const LENGTH = 5;

/** Requests beyond this limit continue one per turn of the event loop, after pending input. */
const turns = new Turns({ slice: 1, atOnce: 0 });

/** The time at which requests started to work in this turn of the event loop. Undefined if none has started yet. */
let began: number | undefined;

/** A period of a request's work without a pause. Waiting for a body or a commit does not count. */
export class Stretch {
  constructor() {
    beginning();
  }

  /**
   * Ends this period and starts the next one. Returns undefined if the request may continue at once, because requests have not worked for
   * long in this turn.
   */
  next(): Promise<void> | undefined {
    return isBusy() ? turns.next().then(begin) : undefined;
  }
}

/** Whether requests have worked for so long in this turn of the event loop that new ones wait for the next turn. */
export const isBusy = (): boolean => performance.now() - beginning() >= LENGTH;

type Handle = (request: ApiRequest) => Promise<ApiResponse>;

/** Makes requests from this process yield too. */
export const givingWay =
  (handle: Handle): Handle =>
  (request) => {
    if (request.turn !== undefined) return handle(request);
    const stretch = new Stretch();
    return handle({ ...request, turn: () => stretch.next() });
  };

function beginning(): number {
  if (began === undefined) {
    began = performance.now();
    setImmediate(forget);
  }
  return began;
}

function begin(): void {
  beginning();
}

function forget(): void {
  began = undefined;
}
