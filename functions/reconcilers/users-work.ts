import { answerDeployment } from '#adapters/aws/cloudformation/answer-deployment.ts';
import type { Deployment } from '#adapters/aws/cloudformation/deployment.ts';
import { type BatchPorts, type DeliveryResult, type Queues, workOnBatch } from '#lib/client/controller/batch.ts';
import { messageOf } from '#lib/client/controller/delivery.ts';
import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import type { Notes } from '#lib/client/controller/notes.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import type { Request } from '#lib/client/controller/requests.ts';
import { keyOf, splitKey } from '#lib/machinery/namespaced-name.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';

const AT_ONCE = 8;

/** Processes messages of the queue of one user's reconciler. Resolves with the ids of the messages that the queue must redeliver. */
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

interface EveryPorts extends Pick<Queues, 'send' | 'later'> {
  /** The queue of the reconciler. */
  readonly queue: string;
  /** Number of objects that start per second. Default: all start immediately. */
  readonly perSecond?: number;
  nonce(): string;
}

/** Requests a reconcile of every object, for a schedule or after a deployment with new code. */
export async function everyObject({ name: reconciler, all }: Reconciler, ports: EveryPorts): Promise<void> {
  const { queue, perSecond = Infinity, send, later, nonce } = ports;
  const keys = (await all?.()) ?? [];
  await forEachAtOnce(AT_ONCE, [...keys.entries()], async ([at, key]) => {
    const of = { reconciler, cluster: DEFAULT_CLUSTER, ...splitKey(key), sequence: '', version: 0 };
    const message = { ...messageOf({ ...of, queue }), later: nonce() };
    const seconds = Math.floor(at / perSecond);
    await (seconds === 0 ? send(message) : later(message, seconds * 1000));
  });
}

interface DeployedPorts extends EveryPorts {
  readonly reconciler: Reconciler;
  readonly perSecond: number;
}

/**
 * Reconciles every object after a deployment with new code of the author, at `perSecond` objects per second. CloudFormation updates the
 * resource only in that case. A new reconciler receives all objects anyway, because its declaration is new. The deployment does not wait
 * for the reconciles.
 */
export async function afterDeployment(deployed: Deployment, { reconciler, ...ports }: DeployedPorts): Promise<void> {
  await answerDeployment(deployed);
  if (deployed.RequestType === 'Update' && ports.perSecond > 0) await everyObject(reconciler, ports);
}
