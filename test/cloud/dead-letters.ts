import { GetQueueAttributesCommand, ListQueuesCommand } from '@aws-sdk/client-sqs';
import { sqsClient } from '#test/ministack/queues.ts';

/** How many messages the queues of what was given up hold. Throws where the stack has no such queue. */
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
