import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { Turns } from './turns.ts';

/** Time in ms that requests may work in one turn of the event loop before they let others run. */
const LENGTH = 5;

/** Requests beyond this limit continue one per turn of the event loop, after the input that arrived meanwhile. */
const turns = new Turns({ slice: 1, atOnce: 0 });

/** When requests started to work in this turn of the event loop. Undefined if none has yet. */
let began: number | undefined;

/** A stretch of a request's work without a pause. Waiting for a body or a commit does not count. */
export class Stretch {
  constructor() {
    beginning();
  }

  /** Ends the stretch and starts the next. Returns undefined if requests have not worked long in this turn and may continue at once. */
  next(): Promise<void> | undefined {
    return isBusy() ? turns.next().then(begin) : undefined;
  }
}

/** Whether requests have worked so long in this turn of the event loop that new ones wait for the next turn. */
export const isBusy = (): boolean => performance.now() - beginning() >= LENGTH;

type Handle = (request: ApiRequest) => Promise<ApiResponse>;

/** Makes requests from this process yield as well. */
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
