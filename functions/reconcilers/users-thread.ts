import { type MessagePort, parentPort } from 'node:worker_threads';
import { systemClock } from '#adapters/clock.ts';
import { captureConsole, withConsole } from '#adapters/process/captured-console.ts';
import { outliveErrors } from '#adapters/process/unhandled-errors.ts';
import { WorkerCalls } from '#adapters/server/function-thread/worker-calls.ts';
import { exportedFunctions } from '#lib/sdk/webhook-sdk/exported-functions.ts';

/** The thread of a user's reconcilers. Loads their file and serves calls. Rejects if the file cannot be loaded, which ends the thread. */
export async function serveReconcilers(load: () => Promise<object>): Promise<void> {
  const port = parentPort as MessagePort; // always defined in a worker
  const calls = new WorkerCalls({ port, clock: systemClock, withConsole });
  captureConsole(calls.logger());
  const { reconcilers } = exportedFunctions(await load());
  outliveErrors((error, origin) => calls.logger().error(error.stack ?? error.message, { origin }));
  calls.serve(async (call, context) => {
    if (call.what !== 'reconcile') throw new TypeError(`${call.name} is no reconciler`);
    return calls.reconcile(reconcilers.get(call.name), call, context);
  });
  const declared = [...reconcilers.values()].map(({ declaration }) => declaration);
  calls.send({ type: 'loaded', reconcilers: declared, webhooks: [], apis: [] });
}
