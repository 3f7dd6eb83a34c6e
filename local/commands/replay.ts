import type { Command } from 'commander';
import { messageOf, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import { isAboutObjects } from '#lib/controllers/objects-of-keys.ts';
import { keyOf, type NamespacedName } from '#lib/machinery/namespaced-name.ts';
import { newUid } from '#lib/machinery/random.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { StartFault } from '../start-fault.ts';
import { localServer } from './local-server.ts';
import { placeOf } from './place.ts';
import { placeFlags, withQueues } from './queues.ts';

interface ReplayFlags {
  readonly queueUrl?: string;
  readonly kubeconfig?: string;
}

/** Adds `replay`, which makes a reconciler reconcile an object again. */
export function replayCommand(command: Command): void {
  const replaying = command
    .command('replay')
    .description('run a reconciler for an object once more: on a local server, or through a queue in AWS')
    .argument('<reconciler>', 'its name')
    .argument('<object>', 'NAMESPACE/NAME, or NAME of a cluster-scoped object', placeOf);
  placeFlags(replaying, 'the FIFO queue of requests').action(
    async (reconciler: string, place: NamespacedName, { queueUrl: url, kubeconfig }: ReplayFlags) => {
      if (url !== undefined) await send(url, replayMessage(reconciler, place, { queueUrl: url, nonce: newUid() }));
      else await localServer(command, kubeconfig).post('/debug/davit/replay', { reconciler, ...place });
      console.log(`${reconciler} looks at ${keyOf(place)}`);
    },
  );
}

/**
 * A first attempt without a change, so it is never dropped as a duplicate. Keys of built-in reconcilers have no namespace. Other
 * reconcilers have their own queues, which carry their messages.
 */
export function replayMessage(
  reconciler: string,
  place: NamespacedName,
  { queueUrl: url, nonce }: { readonly queueUrl: string; readonly nonce: string },
): ReconcileMessage {
  const of = isAboutObjects(reconciler)
    ? { namespace: '', name: keyOf(place) }
    : { ...place, queue: new URL(url).pathname.split('/').at(-1) };
  return { ...messageOf({ reconciler, cluster: DEFAULT_CLUSTER, ...of, sequence: '', version: 0 }), later: nonce };
}

async function send(url: string, message: ReconcileMessage): Promise<void> {
  const [refusal] = await withQueues(({ requests }) => requests(url).send([message]));
  if (refusal !== undefined) throw new StartFault(`the queue refuses it: ${refusal.reason}`);
}
