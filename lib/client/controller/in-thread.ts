import type { KubernetesObject } from '#lib/client/typed-client.ts';
import type { Declaration } from './declaration.ts';
import type { DefinedReconciler } from './define-reconciler.ts';
import type { Logger } from './logger.ts';
import type { Result } from './reconciler.ts';
import type { Request } from './requests.ts';
import { Interrupted } from './thread-end.ts';

/** One attempt, for a function in another thread. */
export interface ThreadCall {
  readonly name: string;
  readonly request: Request;
  /** Reads the object for an attempt that starts now. Undefined if it was deleted. */
  object(): Promise<KubernetesObject | undefined>;
}

/** The signal and the log of one attempt. */
export interface ThreadCallOptions {
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Calls a reconciler's function in another thread. Rejects with Interrupted, TimedOut, ThreadFault, or the function's error. */
export type CallInThread = (call: ThreadCall, options: ThreadCallOptions) => Promise<Result>;

/**
 * A reconciler whose function runs in another thread. If another attempt interrupts an attempt, it is retried with the current object.
 * Rejects with Interrupted only if no caller waits for the attempt any more.
 */
export function inThread(declaration: Declaration, call: CallInThread): DefinedReconciler {
  const { name, for: kind } = declaration;
  return {
    declaration,
    async reconcile(request, { object: first, client, signal, log }) {
      let isBegun = false;
      const object = async (): Promise<KubernetesObject | undefined> => {
        const found = isBegun ? await client.get(kind, request) : await first();
        isBegun = true;
        return found;
      };
      for (;;) {
        try {
          return await call({ name, request, object }, { signal, log });
        } catch (error) {
          if (!(error instanceof Interrupted) || signal.aborted) throw error;
        }
      }
    },
  };
}
