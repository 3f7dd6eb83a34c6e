import { InvalidArgumentError, type Command } from 'commander';
import { StartFault } from '../start-fault.ts';
import { connectionOf } from './connection.ts';
import { kubectl, KubectlFault } from './kubectl.ts';

interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** Adds `replay`: a reconciler looks at an object once more. */
export function replayCommand(command: Command): void {
  command
    .command('replay')
    .description('have a reconciler look at an object once more')
    .argument('<reconciler>', 'its name, as `invocations` shows it')
    .argument('<object>', 'NAMESPACE/NAME, or NAME of what is in no namespace', placeOf)
    .action(async (reconciler: string, place: Place, _flags: unknown, self: Command) => {
      const ask = kubectl(connectionOf(self.optsWithGlobals()));
      await ask.post('/debug/davit/replay', { reconciler, ...place }).catch(inCloud);
      console.log(`${reconciler} looks at ${place.namespace === '' ? '' : `${place.namespace}/`}${place.name}`);
    });
}

function placeOf(text: string): Place {
  const [first = '', second, ...rest] = text.split('/');
  if (first === '' || second === '' || rest.length > 0) throw new InvalidArgumentError('It is NAMESPACE/NAME or NAME.');
  return second === undefined ? { namespace: '', name: first } : { namespace: first, name: second };
}

function inCloud(error: unknown): never {
  if (!(error instanceof KubectlFault && error.isNotFound) || error.message.includes('reconcilers.davit.dev'))
    throw error;
  throw new StartFault('the reconcilers of this control plane are behind queues: davit replay --queue-url');
}
