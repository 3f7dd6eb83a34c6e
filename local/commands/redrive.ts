import type { Command } from 'commander';
import { type Redriven, redrive } from '#lib/client/controller/redrive.ts';
import { defined } from '#lib/machinery/defined.ts';
import { newUid } from '#lib/machinery/random.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { StartFault } from '../start-fault.ts';
import { localServer } from './local-server.ts';
import { placeFlags, queueUrl, withQueues } from './queues.ts';

interface RedriveFlags {
  readonly reconciler?: string;
  readonly queueUrl?: string;
  readonly to?: string;
  readonly kubeconfig?: string;
}

/** Adds `redrive`, which retries keys that reconcilers gave up on. */
export function redriveCommand(command: Command): void {
  const redriving = command
    .command('redrive')
    .description('retry everything that reconcilers gave up on: on a local server, or from a dead-letter queue in AWS')
    .option('--reconciler <name>', 'this reconciler only');
  placeFlags(redriving, 'the dead-letter queue')
    .option('--to <url>', 'the FIFO queue of requests, with --queue-url', queueUrl)
    .action(async (flags: RedriveFlags) =>
      console.log(await (flags.queueUrl === undefined ? locally : inQueues)(flags, command)),
    );
}

async function locally({ reconciler, to, kubeconfig }: RedriveFlags, command: Command): Promise<string> {
  if (to !== undefined) throw new StartFault('--to requires --queue-url');
  const server = localServer(command, kubeconfig);
  const { queued } = (await server.post('/debug/davit/redrive', reconciler === undefined ? {} : { reconciler })) as {
    queued: number;
  };
  return `${queued} tried again`;
}

/** Throws StoreError if a queue cannot be read, or rejects a message. */
async function inQueues({ reconciler, queueUrl: from = '', to }: RedriveFlags): Promise<string> {
  if (to === undefined) throw new StartFault('--queue-url requires --to, the queue that gets the messages');
  return withQueues(async (queues) => {
    const [dead, requests] = [queues.dead(from), queues.requests(to)];
    const done = await redrive({
      receive: () => dead.receive(),
      async send(message) {
        const [refusal] = await requests.send([message]);
        if (refusal !== undefined)
          throw new StoreError('Unavailable', `the queue refuses a message: ${refusal.reason}`);
      },
      nonce: newUid,
      ...defined({ reconciler }),
    });
    return outcomeText(done);
  });
}

const outcomeText = ({ sent, left }: Redriven): string =>
  `${sent} tried again${left === 0 ? '' : `, ${left} left where they were`}`;
