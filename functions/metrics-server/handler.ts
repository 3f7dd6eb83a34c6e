import { answerInvocations } from '#adapters/aws/lambda/aggregated-api.ts';
import { frozenClock, systemClock } from '#adapters/clock.ts';
import { lineLogger } from '#adapters/process/line-logger.ts';
import { outliveErrors } from '#adapters/process/unhandled-errors.ts';
import { duringWork } from '#adapters/process/work.ts';
import { type Config as ApiserverConfig, configOf as apiserverConfig } from '#functions/apiserver/config.ts';
import { openPlatform, reportUnhandled } from '#functions/apiserver/platform.ts';
import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { configOf, type Remote } from './config.ts';
import { asItself, metricsServer } from './wiring.ts';

type Open = () => Promise<Apiserver['handle']>;

/** This API server has no clients of its own, so the address does not matter. */
const ADDRESS = 'localhost:443';

const { resolution, remote } = configOf(process.env);
const open = remote === undefined ? ownServer(apiserverConfig(process.env)) : serverAt(remote);
let started: ReturnType<typeof start> | undefined;

/**
 * The metrics API of an account. The API server invokes it for each request to its group version. Each environment keeps the samples of its
 * own scrapes.
 */
export const handler = awslambda.streamifyResponse(async (event, stream, context) => {
  outliveErrors(reportUnhandled);
  await duringWork({ requestId: context.awsRequestId }, async () =>
    (await (started ??= start()))(event, stream, context),
  );
});

async function start() {
  try {
    const onFault = (node: string, error: unknown): void =>
      lineLogger.info(`metrics of node ${node}: ${messageOfError(error)}`);
    const api = metricsServer({ handle: await open(), clock: frozenClock, resolution, onFault });
    const withHead = awslambda.HttpResponseStream.from;
    return answerInvocations(api, { clock: systemClock, log: lineLogger, withHead });
  } catch (error) {
    started = undefined;
    throw error;
  }
}

/** An API server in this process, which reaches nodes via their channels. */
function ownServer(config: ApiserverConfig): Open {
  return async () => asItself((await openPlatform(config, ADDRESS, new Map())).server);
}

/** A remote API server, which authenticates this function by its role. */
function serverAt({ url, clusterId, region, credentials }: Remote): Open {
  return async () => {
    const [{ ApiConnection }, { roleTokens }] = await Promise.all([
      import('#adapters/server/http/api-connection.ts'),
      import('#lib/server/authentication/aws/role-tokens.ts'),
    ]);
    const token = roleTokens({ clock: systemClock, clusterId, region, credentials: async () => credentials });
    const connection = new ApiConnection({ url, caBundle: '', credentials: { token } });
    return (request) => connection.handle(request);
  };
}
