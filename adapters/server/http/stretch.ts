import type { ApiRequest, ApiResponse } from '#lib/server/endpoints/api.ts';
import { Turns } from './turns.ts';

/** Milliseconds that requests may work in one turn of the event loop before they let others through. */
const LENGTH = 5;

/** Requests beyond that go on one in each turn of the event loop, and what came meanwhile goes first. */
const turns = new Turns({ slice: 1, atOnce: 0 });

/** When requests began to work in this turn of the event loop; undefined where none has yet. */
let began: number | undefined;

/** A stretch of a request's work without a pause. Waiting for a body or a commit is no part of it. */
export class Stretch {
  constructor() {
    beginning();
  }

  /** Ends the stretch and begins the next; undefined if requests have not worked long in this turn, and go on at once. */
  next(): Promise<void> | undefined {
    return isBusy() ? turns.next().then(begin) : undefined;
  }
}

/** Whether requests have worked so long in this turn of the event loop that those which begin wait for the next. */
export const isBusy = (): boolean => performance.now() - beginning() >= LENGTH;

type Handle = (request: ApiRequest) => Promise<ApiResponse>;

/** Requests that come from this process let others through as well. */
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
