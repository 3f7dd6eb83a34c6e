import type { AdmittedRequest } from '#lib/server/flowcontrol/flow-control.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { ApiResponse } from '../api.ts';
import { measuredStream } from '../metrics/measured-stream.ts';
import type { Filter, RequestState } from './filter.ts';
import { isLongRunning, MAX_TIMEOUT, timeoutOf } from './request-deadline.ts';
import { tooManyRequests } from './too-many-requests.ts';

/**
 * Queues requests, like upstream's WithPriorityAndFairness. A request holds its seats until the response is written, and a watch until its
 * initial events are. Other long-running requests need no seat.
 */
export const priorityAndFairness: Filter = (next, { flowControl, clock }) => {
  if (flowControl === undefined) return next;
  return async (request, state) => {
    const { info, user } = state;
    const isWatch = info.verb === 'watch';
    if (!isWatch && isLongRunning(info)) return next(request, state);
    const patience = (isWatch ? MAX_TIMEOUT : timeoutOf(request)) / 4;
    const gone = (): AbortSignal => request.signal;
    const begun = clock.monotonic();
    const admission = await flowControl.admit({ info, user, query: request.query, patience, gone });
    state.latencies?.took('apf-queue-wait', clock.monotonic() - begun);
    state.flow = admission.flow;
    if ('retryAfter' in admission) return tooManyRequests(admission.retryAfter, state);
    if (!isWatch) return holding(admission, request, next(request, state));
    const forget = flowControl.watching({ info, query: request.query });
    return watching(admission, { request, state, forget, next: () => next(request, state) });
  };
};

/** Holds the seats until the response is complete, or the client disconnects. */
async function holding(
  admitted: AdmittedRequest,
  request: ApiRequest,
  answer: Promise<ApiResponse>,
): Promise<ApiResponse> {
  let streams = false;
  try {
    const response = await answer;
    if (typeof response.body === 'string' || response.body instanceof Uint8Array) return response;
    streams = true;
    finishWhenGone(request, admitted.finish);
    return { ...response, body: measuredStream(response.body, admitted.finish) };
  } finally {
    if (!streams) admitted.finish();
  }
}

interface Watch {
  readonly request: ApiRequest;
  readonly state: RequestState;
  forget(): void;
  next(): Promise<ApiResponse>;
}

/** Holds the seats until the watch has begun. Counts the watch until it ends. */
async function watching(admitted: AdmittedRequest, { request, state, forget, next }: Watch): Promise<ApiResponse> {
  let streams = false;
  let open = true;
  const end = (): void => {
    admitted.finish();
    if (open) forget();
    open = false;
  };
  state.watchStage = (stage) => (stage === 'begun' ? admitted.finish() : end());
  try {
    const response = await next();
    streams = typeof response.body !== 'string' && !(response.body instanceof Uint8Array);
    if (streams) finishWhenGone(request, end);
    return response;
  } finally {
    if (!streams) end();
  }
}

/** Also finishes if the response is never read. */
function finishWhenGone({ signal }: ApiRequest, finish: () => void): void {
  if (signal.aborted) finish();
  else signal.addEventListener('abort', finish, { once: true });
}
