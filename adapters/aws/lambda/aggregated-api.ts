import type { Context } from 'aws-lambda';
import type { Logger } from '#lib/client/controller/logger.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { DefinedAggregatedApi } from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';
import { decodeInvocation } from '#lib/sdk/extension-apiserver/invocation.ts';
import { serveAggregatedApi } from '#lib/sdk/extension-apiserver/serve.ts';
import { type ResponseStream, type WithHead, writeAnswer } from './response.ts';

/** A watch ends after this fraction of its invocation's time. An invocation that gets closer to its time-out counts as failed. */
const SHARE = 0.9;

/** The ports of a function that serves an aggregated API. */
export interface AggregatedApiPorts<Stream> {
  readonly clock: Clock;
  readonly log: Logger;
  readonly withHead: WithHead<Stream>;
}

/** Handles an invocation whose event is a request. The aggregated API writes its response to the platform's response stream. */
export function answerInvocations<Stream extends ResponseStream>(
  api: DefinedAggregatedApi,
  { clock, log, withHead }: AggregatedApiPorts<Stream>,
) {
  return async (event: unknown, stream: Stream, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const { request: asked, ...of } = decodeInvocation(event);
    const signal = AbortSignal.timeout(Math.floor(context.getRemainingTimeInMillis() * SHARE));
    const request = { ...asked, signal: () => signal };
    const answer = await serveAggregatedApi(api, { ...of, request, clock, log });
    await writeAnswer(answer, { stream, withHead, method: request.method, gzip: false });
  };
}
