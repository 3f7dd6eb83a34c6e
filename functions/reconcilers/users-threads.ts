import type { Worker } from 'node:worker_threads';
import { systemClock } from '#adapters/clock.ts';
import { type FunctionLimits, FunctionThread } from '#adapters/server/function-thread/function-thread.ts';
import { FunctionThreads } from '#adapters/server/function-thread/function-threads.ts';
import { LastingThread } from '#adapters/server/function-thread/lasting-thread.ts';
import type { DefinedReconciler } from '#lib/client/controller/define-reconciler.ts';
import { inThread } from '#lib/client/controller/in-thread.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';

/** The ports of a user's reconciler that runs in threads. */
export interface UsersThreadsPorts {
  /** The name of a reconciler in the file. */
  readonly name: string;
  readonly limits: FunctionLimits;
  readonly log: Logger;
  /** Time in ms for an aborted call to end. Default one second. */
  readonly grace?: number;
  /** Starts a worker that runs `serveReconcilers`. */
  start(): Worker;
  /** Sends requests to the API as the reconciler. */
  handle(request: ApiRequest): Promise<ApiResponse>;
}

/** A reconciler that runs in threads until it is closed. */
export interface ThreadedReconciler {
  readonly reconciler: DefinedReconciler;
  close(): Promise<void>;
}

const SETTINGS = { timeout: 'functions.yaml', memory: 'functions.yaml' };

/** Loads a reconciler in its own thread. Rejects if its file cannot be loaded, or does not declare the reconciler. */
export async function usersThreads({ name, ...ports }: UsersThreadsPorts): Promise<ThreadedReconciler> {
  const start = (): FunctionThread => new FunctionThread({ ...ports, settings: SETTINGS });
  const first = start();
  const { reconcilers } = await first.loaded;
  const declaration = reconcilers.find((one) => one.name === name);
  if (declaration === undefined) {
    await first.close();
    throw new TypeError(`DAVIT_FUNCTION: there is no reconciler "${name}" in this file`);
  }
  const ended = async (why: string): Promise<void> => ports.log.error(why);
  const shared = new LastingThread(first, { file: name, clock: systemClock, start, ended });
  const threads = new FunctionThreads({ shared, start, timeoutOf: () => undefined });
  return {
    reconciler: inThread(declaration, threads.reconcile),
    close: async () => void (await Promise.all([threads.close(), shared.close()])),
  };
}
