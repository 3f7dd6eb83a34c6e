import { GetQueueAttributesCommand, ListQueuesCommand } from '@aws-sdk/client-sqs';
import { deadLetterQueue } from '#adapters/aws/sqs/dead-letter-queue.ts';
import { encodeMessage, messageOf } from '#lib/client/controller/delivery.ts';
import { sqsClient } from '#test/support/ministack/queues.ts';

/** The number of messages in the dead-letter queues. Throws if the stack has no such queue. */
export async function deadLetters(endpoint: string): Promise<number> {
  const sqs = sqsClient(endpoint);
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: 'Davit-QueuesDead' }));
  if (QueueUrls.length !== 2) throw new Error(`queues of dead letters: ${QueueUrls.join()}`);
  const counts = QueueUrls.map(async (QueueUrl) => {
    const AttributeNames = ['ApproximateNumberOfMessages' as const];
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
    return Number(Attributes?.['ApproximateNumberOfMessages']);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Sends a message to the queue that reconcilers use for dead letters. */
export async function giveUp(
  endpoint: string,
  url: string,
  of: { readonly reconciler: string; readonly name: string },
): Promise<void> {
  const message = messageOf({ ...of, cluster: 'main', namespace: '', sequence: '', version: 0 });
  await deadLetterQueue(sqsClient(endpoint), url).put(encodeMessage({ ...message, attempt: 30 }), 'gave up');
}
