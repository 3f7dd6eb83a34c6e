import { Duration } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** Longer than the reconcilers' function may run, so that a message is never worked on twice at once. */
export const VISIBILITY = Duration.minutes(3);

/** Requests in order per object. */
export const IN_ORDER = {
  fifo: true,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  contentBasedDeduplication: false,
} satisfies QueueProps;

/** How often a message is handed out before it is set aside. Failures of work are counted by reconcilers; this counts lost invocations. */
export const RECEIVES = 10;

/** The settings of every queue. A message stays as long as SQS allows, if nobody works on it. */
export const COMMON = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
} satisfies QueueProps;

/** The queues of requests to reconcilers: in order per object, delayed, and dead letters. */
export class Queues extends Construct {
  /** Group by object, so that each has one request at a time and all beside each other. */
  readonly requests: Queue;
  /** Delayed messages, for 15 minutes at most. */
  readonly later: Queue;
  /** Messages that were given up. */
  readonly dead: Queue;
  /** Dead letters of `requests`: a FIFO queue needs one of its own kind. */
  readonly deadRequests: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.dead = new Queue(this, 'Dead', COMMON);
    this.deadRequests = new Queue(this, 'DeadRequests', { ...COMMON, fifo: true });
    this.requests = new Queue(this, 'Requests', {
      ...COMMON,
      ...IN_ORDER,
      visibilityTimeout: VISIBILITY,
      deadLetterQueue: { queue: this.deadRequests, maxReceiveCount: RECEIVES },
    });
    this.later = new Queue(this, 'Later', {
      ...COMMON,
      visibilityTimeout: VISIBILITY,
      deadLetterQueue: { queue: this.dead, maxReceiveCount: RECEIVES },
    });
  }
}
