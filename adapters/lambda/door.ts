import type { ApiRequest, ApiResponse } from '#lib/endpoints/api.ts';
import { acceptsGzip } from '#lib/endpoints/gzip.ts';
import { Invocation } from './invocation.ts';
import { writeAnswer, type ResponseStream, type WithHead } from './response.ts';

export interface Door<Event> {
  /** `signal` is asked for by requests that last. */
  toRequest(event: Event, signal: () => AbortSignal): ApiRequest;
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** Milliseconds after which what lasts is ended, where its client has not asked for less. */
  readonly deadline: number;
}

/** As much of the platform's context as is used. */
export interface Remaining {
  getRemainingTimeInMillis(): number;
}

/** Milliseconds before the platform's end of an invocation, for a last bookmark. */
const MARGIN = 5000;

/** One event answered over the platform's response stream. */
export async function answerEvent<Event, Stream extends ResponseStream>(
  { toRequest, handle, deadline }: Door<Event>,
  event: Event,
  { stream, withHead, context }: { stream: Stream; withHead: WithHead<Stream>; context: Remaining },
): Promise<void> {
  using invocation = new Invocation(stream, Math.min(deadline, context.getRemainingTimeInMillis() - MARGIN));
  const request = toRequest(event, () => invocation.signal);
  const response = await handle(request);
  await writeAnswer(response, { stream, withHead, method: request.method, gzip: acceptsGzip(request) });
}
