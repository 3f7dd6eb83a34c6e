import type { Command } from 'commander';
import { keyOf, type NamespacedName } from '#lib/machinery/namespaced-name.ts';
import { placeOf } from '../commands/place.ts';
import { StartFault } from '../start-fault.ts';
import { connectionOf } from './connection.ts';
import { KubectlFault, kubectl } from './kubectl.ts';

/** Adds `replay`, which makes a reconciler reconcile an object again. */
export function replayCommand(command: Command): void {
  command
    .command('replay')
    .description('run a reconciler for an object once more')
    .argument('<reconciler>', 'its name, as `invocations` shows it')
    .argument('<object>', 'NAMESPACE/NAME, or NAME of a cluster-scoped object', placeOf)
    .action(async (reconciler: string, place: NamespacedName, _flags: unknown, self: Command) => {
      const ask = kubectl(connectionOf(self.optsWithGlobals()));
      await ask.post('/debug/davit/replay', { reconciler, ...place }).catch(inCloud);
      console.log(`${reconciler} looks at ${keyOf(place)}`);
    });
}

function inCloud(error: unknown): never {
  if (!(error instanceof KubectlFault && error.isNotFound) || error.message.includes('reconcilers.davit.dev'))
    throw error;
  throw new StartFault('the reconcilers of this control plane are behind queues: davit replay --queue-url');
}
