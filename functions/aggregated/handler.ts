import type { Context } from 'aws-lambda';
import { systemClock } from '#adapters/clock.ts';
import { writeAnswer, type ResponseStream, type WithHead } from '#adapters/lambda/response.ts';
import type { Logger } from '#lib/controller/logger.ts';
import type { DefinedAggregatedApi } from '#lib/extension-apiserver/define-aggregated-api.ts';
import { decodeInvocation } from '#lib/extension-apiserver/invocation.ts';
import { serveAggregatedApi } from '#lib/extension-apiserver/serve.ts';

/** The share of its time after which a watch ends by itself: an invocation that comes nearer to its end counts as a failure. */
const SHARE = 0.9;

/** Answers an invocation with a request by the aggregated API, over the platform's response stream. */
export function aggregatedApiHandler<Stream extends ResponseStream>(
  api: DefinedAggregatedApi,
  log: Logger,
  withHead: WithHead<Stream>,
) {
  return async (event: unknown, stream: Stream, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
    const { request: asked, ...of } = decodeInvocation(event);
    const signal = AbortSignal.timeout(Math.floor(context.getRemainingTimeInMillis() * SHARE));
    const request = { ...asked, signal };
    const answer = await serveAggregatedApi(api, { ...of, request, clock: systemClock, log });
    await writeAnswer(answer, { stream, withHead, method: request.method, gzip: false });
  };
}
