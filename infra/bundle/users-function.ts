import type { Context } from 'aws-lambda';
import { outliveErrors } from '#adapters/process/unhandled-errors.ts';
import type { Logger } from '#lib/controller/logger.ts';
import { exportedFunctions } from '#lib/webhook-sdk/exported-functions.ts';

type Handler = (event: never, context: Context) => Promise<unknown>;

/** A line of JSON each, which the platform keeps. */
const LOG: Logger = {
  info: (message, fields) => console.log(JSON.stringify({ level: 'info', message, ...fields })),
  error: (message, fields) => console.error(JSON.stringify({ level: 'error', message, ...fields })),
};

/** The exports of a user's bundle: the declarations of the file, and the handler that DAVIT_FUNCTION names. */
export function usersFunction(module: object) {
  const { reconcilers, webhooks } = exportedFunctions(module);
  const declared = ([, { declaration }]: readonly [string, { readonly declaration: object }]): object => declaration;
  const make = async (name = ''): Promise<Handler> => {
    const [webhook, reconciler] = [webhooks.get(name), reconcilers.get(name)];
    if (webhook !== undefined) return (await import('#functions/webhooks/handler.ts')).webhookHandler(webhook, LOG);
    if (reconciler === undefined) throw new TypeError(`DAVIT_FUNCTION: there is no function "${name}" in this file`);
    return (await import('#functions/reconcilers/users-handler.ts')).reconcilerHandler(reconciler, LOG);
  };
  let made: Promise<Handler> | undefined;
  return {
    declarations: { reconcilers: [...reconcilers].map(declared), webhooks: [...webhooks].map(declared) },
    handler: (async (event, context) => {
      outliveErrors((error, origin) => LOG.error(error.stack ?? error.message, { origin }));
      return (await (made ??= make(process.env['DAVIT_FUNCTION'])))(event, context);
    }) satisfies Handler,
  };
}
