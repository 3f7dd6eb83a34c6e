import type { Context } from 'aws-lambda';
import { systemClock } from '#adapters/clock.ts';
import { logLine } from '#adapters/process/log-line.ts';
import { outliveErrors } from '#adapters/process/unhandled-errors.ts';
import { duringWork } from '#adapters/process/work.ts';
import type { Logger } from '#lib/controller/logger.ts';
import { exportedFunctions, type ExportedFunctions } from '#lib/webhook-sdk/exported-functions.ts';
import { SECRETS, UsersSecrets, type UsersSecretsPorts } from './users-secrets.ts';

type Handler = (event: never, context: Context) => Promise<unknown>;

/** A line of JSON each, which the platform keeps. */
const LOG: Logger = {
  info: (message, fields) => logLine({ level: 'info', message, ...fields }),
  error: (message, fields) => logLine({ level: 'error', message, ...fields }),
};

/**
 * The exports of a user's bundle: the declarations of the file, and the handler that DAVIT_FUNCTION names. A function with secrets
 * loads the file when it has read them, every other one at once. A file that cannot be loaded ends the process.
 */
export function usersFunction(load: () => Promise<object>) {
  const environment = process.env;
  const isSecret = environment[SECRETS] !== undefined;
  let loading = isSecret ? undefined : functionsOf(load);
  const make = async (name = ''): Promise<Handler> => {
    const { reconcilers, webhooks } = await (loading ??= functionsOf(load)).catch(ended);
    const [webhook, reconciler] = [webhooks.get(name), reconcilers.get(name)];
    if (webhook !== undefined) return (await import('#functions/webhooks/handler.ts')).webhookHandler(webhook, LOG);
    if (reconciler === undefined) throw new TypeError(`DAVIT_FUNCTION: there is no function "${name}" in this file`);
    return (await import('#functions/reconcilers/users-handler.ts')).reconcilerHandler(reconciler, LOG);
  };
  let secrets: UsersSecrets | undefined;
  let made: Promise<Handler> | undefined;
  return {
    declarations: async () => {
      const { reconcilers, webhooks } = await (loading ??= functionsOf(load));
      return { reconcilers: [...reconcilers.values()].map(declared), webhooks: [...webhooks.values()].map(declared) };
    },
    handler: (async (event, context) => {
      outliveErrors((error, origin) => LOG.error(error.stack ?? error.message, { origin }));
      const work = async (): Promise<unknown> => {
        if (isSecret) await (secrets ??= await secretsOf(environment)).refresh();
        return (await (made ??= make(environment['DAVIT_FUNCTION'])))(event, context);
      };
      return duringWork({ requestId: context.awsRequestId }, work);
    }) satisfies Handler,
  };
}

const functionsOf = async (load: () => Promise<object>): Promise<ExportedFunctions> => exportedFunctions(await load());

const declared = ({ declaration }: { readonly declaration: object }): object => declaration;

/** Ends the process: the platform begins another, where a secret that was wrong may be right. */
function ended(error: unknown): never {
  LOG.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}

async function secretsOf(environment: UsersSecretsPorts['environment']): Promise<UsersSecrets> {
  const { awsSecrets } = await import('#adapters/secrets/aws-secrets.ts');
  const read = awsSecrets({ environment, clock: systemClock, fetch: globalThis.fetch });
  return new UsersSecrets({ environment, clock: systemClock, log: LOG, read });
}
