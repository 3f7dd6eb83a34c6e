import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { oneOffSchedules } from '#adapters/aws/scheduler/one-off.ts';
import { deadLetterQueue } from '#adapters/aws/sqs/dead-letter-queue.ts';
import { laterQueue } from '#adapters/aws/sqs/later-queue.ts';
import { requestQueue } from '#adapters/aws/sqs/request-queue.ts';
import type { Queues } from '#lib/client/controller/batch.ts';
import { encodeMessage } from '#lib/client/controller/delivery.ts';
import type { Schedules } from '#lib/client/controller/schedules.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { QueueConfig } from './queue-config.ts';

/** The maximum delay of a queued message in ms. */
const LONGEST = 15 * 60_000;
/** Used if schedules are not configured. Creates no schedule. */
const NO_SCHEDULES: Schedules = {
  once: async () => {
    throw new TypeError('there are no schedules');
  },
};

/** The queues of a function that reconciles. Without schedules, a delay beyond the queue's maximum is shortened to it. */
export function queuesOf(config: QueueConfig, clock: Clock): Queues {
  const { queueUrl, laterQueueUrl, deadLetterQueueUrl, schedules: target } = config;
  const client = new SQSClient({});
  const requests = requestQueue(client, queueUrl, clock);
  const schedules = target === undefined ? NO_SCHEDULES : oneOffSchedules(new SchedulerClient({}), target);
  const later = laterQueue(client, laterQueueUrl, { schedules, clock });
  const dead = deadLetterQueue(client, deadLetterQueueUrl);
  const longest = target === undefined ? LONGEST : Infinity;
  return {
    async send(message) {
      for (const { reason } of await requests.send([message])) await dead.put(encodeMessage(message), reason);
    },
    later: (message, milliseconds) => later(message, Math.min(milliseconds, longest)),
    deadLetter: (body, reason) => dead.put(body, reason),
  };
}
