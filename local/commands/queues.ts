import { type Command, InvalidArgumentError } from 'commander';
import type { deadLetterQueue } from '#adapters/aws/sqs/dead-letter-queue.ts';
import type { requestQueue } from '#adapters/aws/sqs/request-queue.ts';
import { systemClock } from '#adapters/clock.ts';

/** Parses a flag whose value is the URL of an SQS queue. Throws InvalidArgumentError. */
export function queueUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('A queue is named by its URL.');
  return text;
}

/** Adds the flags that select the target of a command: a queue in an account, which `what` describes, or a local server. */
export const placeFlags = (command: Command, what: string): Command =>
  command
    .option('--queue-url <url>', what, queueUrl)
    .option('--kubeconfig <path>', 'the kubeconfig of the local server; default: that in --data-dir');

interface Queues {
  requests(url: string): ReturnType<typeof requestQueue>;
  dead(url: string): ReturnType<typeof deadLetterQueue>;
}

/** Calls `work` with an account's queues. Loads the parts of the SDK that it needs. */
export async function withQueues<T>(work: (queues: Queues) => Promise<T>): Promise<T> {
  const [{ SQSClient }, dead, requests] = await Promise.all([
    import('@aws-sdk/client-sqs'),
    import('#adapters/aws/sqs/dead-letter-queue.ts'),
    import('#adapters/aws/sqs/request-queue.ts'),
  ]);
  const client = new SQSClient({});
  try {
    return await work({
      requests: (url) => requests.requestQueue(client, url, systemClock),
      dead: (url) => dead.deadLetterQueue(client, url),
    });
  } finally {
    client.destroy();
  }
}
