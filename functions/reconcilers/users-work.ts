import { type BatchPorts, type DeliveryResult, type Queues, workOnBatch } from '#lib/client/controller/batch.ts';
import { messageOf } from '#lib/client/controller/delivery.ts';
import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import type { Notes } from '#lib/client/controller/notes.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { keyOf, type Request, requestIn } from '#lib/client/controller/requests.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';

const AT_ONCE = 8;

/** Works on deliveries of the queue of one user's reconciler. Resolves with those that it must make again. */
export function workOfUsers(
  batch: readonly DeliveryResult[],
  { name, maxConcurrent = AT_ONCE, reconcile }: Reconciler,
  ports: Omit<BatchPorts, 'workerOf'>,
): Promise<readonly string[]> {
  const worker = {
    maxConcurrent,
    work: (message: Request, signal: AbortSignal, notes?: Notes) => reconcile(keyOf(message), signal, notes),
  };
  return workOnBatch(batch, { ...ports, workerOf: (asked) => (asked === name ? worker : undefined) });
}

interface EveryPorts extends Pick<Queues, 'send'> {
  /** The queue of the reconciler. */
  readonly queue: string;
  nonce(): string;
}

/** Asks a reconciler to look at every object that there is: for a schedule. */
export async function everyObject({ name: reconciler, all }: Reconciler, ports: EveryPorts): Promise<void> {
  const keys = (await all?.()) ?? [];
  await forEachAtOnce(AT_ONCE, keys, async (key) => {
    const of = { reconciler, cluster: DEFAULT_CLUSTER, ...requestIn(key), sequence: '', version: 0 };
    await ports.send({ ...messageOf({ ...of, queue: ports.queue }), later: ports.nonce() });
  });
}
