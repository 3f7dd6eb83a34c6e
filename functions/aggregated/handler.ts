import { answerInvocations } from '#adapters/aws/lambda/aggregated-api.ts';
import type { ResponseStream, WithHead } from '#adapters/aws/lambda/response.ts';
import { systemClock } from '#adapters/clock.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import type { DefinedAggregatedApi } from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';

/** Handles an invocation whose event is a request. The user's aggregated API responds via the platform's response stream. */
export const aggregatedApiHandler = <Stream extends ResponseStream>(
  api: DefinedAggregatedApi,
  log: Logger,
  withHead: WithHead<Stream>,
) => answerInvocations(api, { clock: systemClock, log, withHead });
