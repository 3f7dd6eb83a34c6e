import { isMainThread, SHARE_ENV, Worker, workerData } from 'node:worker_threads';
import type { Context } from 'aws-lambda';
import { systemClock } from '#adapters/clock.ts';
import { lineLogger as LOG } from '#adapters/process/line-logger.ts';
import { outliveErrors } from '#adapters/process/unhandled-errors.ts';
import { duringWork } from '#adapters/process/work.ts';
import type { DefinedAggregatedApi } from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';
import { exportedApis } from '#lib/sdk/extension-apiserver/exported-apis.ts';
import { type ExportedFunctions, exportedFunctions } from '#lib/sdk/webhook-sdk/exported-functions.ts';
import { SECRETS, UsersSecrets, type UsersSecretsPorts } from './users-secrets.ts';

type Handler = (event: never, context: Context) => Promise<unknown>;

/** The exports of a file, by function name. */
interface UsersFunctions extends ExportedFunctions {
  readonly apis: ReadonlyMap<string, DefinedAggregatedApi>;
}

/** The worker data of a thread of a user's bundle that runs reconcilers. */
const RECONCILERS = 'davit-reconcilers';
/** The export that is a reconciler's handler, in the format of the platform's `_HANDLER`. */
const RECONCILING = 'index.reconciling';

/**
 * Returns the exports of a user's bundle, which is `file`: the declarations of the author's file, and the handler of the function that
 * DAVIT_FUNCTION names. The handler is `handler` for a webhook, `streaming` for an aggregated API, and `reconciling` for a reconciler,
 * whose code runs in threads of the same bundle. A function with secrets reads them before it loads the author's file. Every other function
 * loads the file immediately. A file that cannot be loaded ends the process.
 */
export function usersFunction(load: () => Promise<object>, file: string) {
  const environment = process.env;
  const isThread = !isMainThread && workerData === RECONCILERS;
  if (isThread) void import('#functions/reconcilers/users-thread.ts').then((thread) => thread.serveReconcilers(load));
  const isSecret = environment[SECRETS] !== undefined;
  // A thread shares the environment of its process, and must not start threads of its own.
  const isReconciler = !isThread && environment['_HANDLER'] === RECONCILING;
  let loading = isSecret || isThread || isReconciler ? undefined : functionsOf(load);
  const make = async (name = ''): Promise<Handler> => {
    const webhook = (await (loading ??= functionsOf(load)).catch(ended)).webhooks.get(name);
    if (webhook === undefined) throw new TypeError(`DAVIT_FUNCTION: there is no webhook "${name}" in this file`);
    return (await import('#functions/webhooks/handler.ts')).webhookHandler(webhook, LOG);
  };
  const makeReconciling = async (): Promise<Handler> => {
    const { reconcilerHandler } = await import('#functions/reconcilers/users-handler.ts');
    const start = (memory: number): Worker =>
      new Worker(file, {
        workerData: RECONCILERS,
        env: SHARE_ENV,
        resourceLimits: { maxOldGenerationSizeMb: memory },
      });
    return reconcilerHandler(LOG, { start, notLoaded: ended });
  };
  let reconciles = isReconciler && !isSecret ? makeReconciling() : undefined;
  const makeStreaming = async (name = '') => {
    const api = (await (loading ??= functionsOf(load)).catch(ended)).apis.get(name);
    if (api === undefined) throw new TypeError(`DAVIT_FUNCTION: there is no aggregated API "${name}" in this file`);
    const { aggregatedApiHandler } = await import('#functions/aggregated/handler.ts');
    return aggregatedApiHandler(api, LOG, awslambda.HttpResponseStream.from);
  };
  let secrets: UsersSecrets | undefined;
  const invoked = (context: Context, work: () => Promise<unknown>): Promise<unknown> => {
    outliveErrors((error, origin) => LOG.error(error.stack ?? error.message, { origin }));
    return duringWork({ requestId: context.awsRequestId }, async () => {
      if (isSecret) await (secrets ??= await secretsOf(environment)).refresh();
      return work();
    });
  };
  let made: Promise<Handler> | undefined;
  let streams: ReturnType<typeof makeStreaming> | undefined;
  return {
    declarations: async () => {
      const { reconcilers, webhooks, apis } = await (loading ??= functionsOf(load));
      return { reconcilers: declared(reconcilers), webhooks: declared(webhooks), apis: declared(apis) };
    },
    handler: ((event, context) =>
      invoked(context, async () =>
        (await (made ??= make(environment['DAVIT_FUNCTION'])))(event, context),
      )) satisfies Handler,
    reconciling: ((event, context) =>
      invoked(context, async () => (await (reconciles ??= makeReconciling()))(event, context))) satisfies Handler,
    streaming: streamed(async (event, stream, context) => {
      await invoked(context, async () =>
        (await (streams ??= makeStreaming(environment['DAVIT_FUNCTION'])))(event, stream, context),
      );
    }),
  };
}

/** A handler with a streamed response. Undefined if the file is only inspected, because only Lambda's runtime can create one. */
const streamed = (handler: Parameters<typeof awslambda.streamifyResponse>[0]) =>
  typeof awslambda === 'undefined' ? undefined : awslambda.streamifyResponse(handler);

async function functionsOf(load: () => Promise<object>): Promise<UsersFunctions> {
  const module = await load();
  const { reconcilers, webhooks } = exportedFunctions(module);
  return { reconcilers, webhooks, apis: exportedApis(module, [...reconcilers.keys(), ...webhooks.keys()]) };
}

const declared = (all: ReadonlyMap<string, { readonly declaration: object }>): object[] =>
  [...all.values()].map(({ declaration }) => declaration);

/** Ends the process. The platform starts another one, which may read a corrected secret. */
function ended(error: unknown): never {
  LOG.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}

async function secretsOf(environment: UsersSecretsPorts['environment']): Promise<UsersSecrets> {
  const { awsSecrets } = await import('#adapters/aws/secrets/aws-secrets.ts');
  const read = awsSecrets({ environment, clock: systemClock, fetch: globalThis.fetch });
  return new UsersSecrets({ environment, clock: systemClock, log: LOG, read });
}
