import type { Context } from 'aws-lambda';
import type { VouchedBy } from '#lib/server/authentication/authenticator.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { acceptsGzip } from '#lib/server/endpoints/gzip.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { Invocation } from './invocation.ts';
import type { EventPorts } from './ports.ts';
import { type ResponseStream, type WithHead, writeAnswer } from './response.ts';

/** A front door: converts events to requests, and writes responses. */
export interface Door<Event> {
  toRequest(event: Event, ports: EventPorts): ApiRequest;
  handle(request: ApiRequest): Promise<ApiResponse>;
  readonly vouched: VouchedBy;
}

/** Time in ms reserved for a last bookmark before the platform ends an invocation. */
const MARGIN = 5000;

/** Handles one event, and writes the response to the platform's response stream. */
export async function answerEvent<Event, Stream extends ResponseStream>(
  { toRequest, handle, vouched }: Door<Event>,
  event: Event,
  {
    stream,
    withHead,
    context,
  }: { stream: Stream; withHead: WithHead<Stream>; context: Pick<Context, 'getRemainingTimeInMillis'> },
): Promise<void> {
  using invocation = new Invocation(stream, context.getRemainingTimeInMillis() - MARGIN);
  const request = toRequest(event, { signal: () => invocation.signal, vouched });
  const response = await handle(request);
  await writeAnswer(response, { stream, withHead, method: request.method, gzip: acceptsGzip(request) });
}
