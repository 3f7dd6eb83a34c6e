import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import type { AdmittedRequest } from '#lib/server/flowcontrol/flow-control.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { type RequestContext, withFacts } from '#lib/server/request/request-context.ts';
import type { ApiResponse } from '../api.ts';
import { measuredStream } from '../metrics/measured-stream.ts';
import type { Filter } from './filter.ts';
import { isLongRunning, MAX_TIMEOUT, timeoutOf } from './request-deadline.ts';
import { tooManyRequests } from './too-many-requests.ts';

/**
 * Queues requests, like upstream's WithPriorityAndFairness. A request holds its seats until the response is written, and a watch until its
 * initial events are. Other long-running requests need no seat.
 */
export const priorityAndFairness: Filter = (next, { flowControl, clock }) => {
  if (flowControl === undefined) return next;
  return async (given) => {
    const { request, info, user } = given;
    const isWatch = info.verb === 'watch';
    if (!isWatch && isLongRunning(info)) return next(given);
    const patience = (isWatch ? MAX_TIMEOUT : timeoutOf(request)) / 4;
    const begun = clock.monotonic();
    const admission = await flowControl.admit({ info, user, query: request.query, patience, gone: request.signal });
    given.latencies?.took('apf-queue-wait', clock.monotonic() - begun);
    const { flow } = admission;
    if ('retryAfter' in admission) return tooManyRequests(admission.retryAfter, withFacts(given, { flow }));
    if (!isWatch) return holding(admission, request, next(withFacts(given, { flow })));
    const forget = flowControl.watching({ info, query: request.query });
    const open = (watchStage: WatchStage) => next(withFacts(given, { flow, watchStage }));
    return watching(admission, { request, forget, open });
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

type WatchStage = NonNullable<RequestContext['watchStage']>;

interface Watch {
  readonly request: ApiRequest;
  forget(): void;
  open(watchStage: WatchStage): Promise<ApiResponse>;
}

/** Holds the seats until the watch has begun. Counts the watch until it ends. */
async function watching(admitted: AdmittedRequest, { request, forget, open }: Watch): Promise<ApiResponse> {
  let streams = false;
  let isCounted = true;
  const end = (): void => {
    admitted.finish();
    if (isCounted) forget();
    isCounted = false;
  };
  try {
    const response = await open((stage) => (stage === 'begun' ? admitted.finish() : end()));
    streams = typeof response.body !== 'string' && !(response.body instanceof Uint8Array);
    if (streams) finishWhenGone(request, end);
    return response;
  } finally {
    if (!streams) end();
  }
}

/** Also finishes if the response is never read. */
const finishWhenGone = (request: ApiRequest, finish: () => void): Disposable => onAbort(request.signal(), finish);
