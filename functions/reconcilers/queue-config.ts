import * as z from 'zod';
import { issuesText } from '#lib/machinery/issues.ts';

const arn = z.string().startsWith('arn:');

/** The environment variables of every function that reconciles, which locate its queues. */
export const QUEUE_ENVIRONMENT = z.object({
  /** The URL that clients use for the API. */
  DAVIT_ENDPOINT: z.url({ protocol: /^https$/ }),
  /** The FIFO queue of requests. */
  DAVIT_QUEUE_URL: z.url(),
  DAVIT_LATER_QUEUE_URL: z.url(),
  DAVIT_DLQ_URL: z.url(),
  /** The queue for delayed messages, and the role that schedules use to send to it. Without both, no delay exceeds 15 minutes. */
  DAVIT_LATER_QUEUE_ARN: arn.optional(),
  DAVIT_SCHEDULE_ROLE: arn.optional(),
  /** The group of such schedules. Default: the account's default group. */
  DAVIT_SCHEDULE_GROUP: z.string().min(1).optional(),
});

/** The queues and schedules of a function that reconciles. */
export interface QueueConfig {
  readonly endpoint: string;
  readonly queueUrl: string;
  readonly laterQueueUrl: string;
  readonly deadLetterQueueUrl: string;
  readonly schedules: { readonly queueArn: string; readonly roleArn: string; readonly group?: string } | undefined;
}

/** Converts the environment to this program's names. */
export function queueConfigOf(data: z.infer<typeof QUEUE_ENVIRONMENT>): QueueConfig {
  const [queueArn, roleArn, group] = [data.DAVIT_LATER_QUEUE_ARN, data.DAVIT_SCHEDULE_ROLE, data.DAVIT_SCHEDULE_GROUP];
  const inGroup = group === undefined ? {} : { group };
  return {
    endpoint: data.DAVIT_ENDPOINT,
    queueUrl: data.DAVIT_QUEUE_URL,
    laterQueueUrl: data.DAVIT_LATER_QUEUE_URL,
    deadLetterQueueUrl: data.DAVIT_DLQ_URL,
    schedules: queueArn === undefined || roleArn === undefined ? undefined : { queueArn, roleArn, ...inGroup },
  };
}

/** Reads an environment. Throws TypeError with one line that names the invalid variables. */
export function readEnvironment<T extends z.ZodType>(
  type: T,
  env: Readonly<Record<string, string | undefined>>,
): z.output<T> {
  const read = type.safeParse(env);
  if (read.success) return read.data;
  throw new TypeError(issuesText(read.error.issues));
}
