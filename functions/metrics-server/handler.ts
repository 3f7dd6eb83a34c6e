import { frozenClock, systemClock } from '#adapters/clock.ts';
import { answerInvocations } from '#adapters/lambda/aggregated-api.ts';
import { lineLogger } from '#adapters/process/line-logger.ts';
import { outliveErrors } from '#adapters/process/unhandled-errors.ts';
import { duringWork } from '#adapters/process/work.ts';
import { configOf as apiserverConfig } from '#functions/apiserver/config.ts';
import { openPlatform, reportUnhandled } from '#functions/apiserver/platform.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { configOf } from './config.ts';
import { asItself, metricsServer } from './wiring.ts';

const serverConfig = apiserverConfig(process.env);
const { resolution } = configOf(process.env);

/** This API server has no clients of its own to tell where it is. */
const ADDRESS = 'localhost:443';

let started: ReturnType<typeof start> | undefined;

/** The metrics API of an account: the API server invokes it for each request to its group version. It holds the points of its own scrapes. */
export const handler = awslambda.streamifyResponse(async (event, stream, context) => {
  outliveErrors(reportUnhandled);
  await duringWork({ requestId: context.awsRequestId }, async () =>
    (await (started ??= start()))(event, stream, context),
  );
});

async function start() {
  try {
    const { server } = await openPlatform(serverConfig, ADDRESS, new Map());
    const onFault = (node: string, error: unknown): void =>
      lineLogger.info(`metrics of node ${node}: ${messageOfError(error)}`);
    const api = metricsServer({ handle: asItself(server), clock: frozenClock, resolution, onFault });
    const withHead = awslambda.HttpResponseStream.from;
    return answerInvocations(api, { clock: systemClock, log: lineLogger, withHead });
  } catch (error) {
    started = undefined;
    throw error;
  }
}
