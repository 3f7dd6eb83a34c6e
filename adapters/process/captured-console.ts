import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';
import type { DefinedReconciler } from '#lib/client/controller/define-reconciler.ts';
import type { Logger } from '#lib/client/controller/logger.ts';

const LEVELS = { log: 'info', info: 'info', debug: 'info', warn: 'error', error: 'error' } as const;

const current = new AsyncLocalStorage<Logger | undefined>();

/**
 * From now on, `console` output of a call is written to the call's logger (`withConsole`). Output outside such calls is written to
 * `otherwise`, or to the original console.
 */
export function captureConsole(otherwise?: Logger): void {
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, 'info' | 'error'][]) {
    const before = console[method].bind(console);
    console[method] = (...args: unknown[]) => {
      const log = current.getStore() ?? otherwise;
      if (log === undefined) before(...args);
      else current.run(undefined, () => log[level](format(...args))); // the logger may print to the console
    };
  }
}

/** Runs a call whose console output is written to this logger, including asynchronous output. */
export const withConsole = <T>(log: Logger, call: () => T): T => current.run(log, call);

/** Wraps a reconciler so that its console output is written to the logger of the attempt. */
export const withOwnConsole = (defined: DefinedReconciler): DefinedReconciler => ({
  declaration: defined.declaration,
  reconcile: (request, context) => withConsole(context.log, () => defined.reconcile(request, context)),
});
