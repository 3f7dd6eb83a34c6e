import { Duration } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/**
 * The time for which a queue hides a message that a function was given: six times as long as that may last, and its batching window, as
 * AWS advises. Lambda tries again within it where it has no room for an invocation, and no message is worked on twice at once.
 * Reconcilers shorten it once they have begun (`functions/reconcilers/sqs-batch.ts`): what was killed comes again seconds after its time.
 */
export const visibilityOf = (timeout: Duration, window: Duration = Duration.seconds(0)): Duration =>
  Duration.seconds(6 * timeout.toSeconds() + window.toSeconds());

/** The timeout of the function of the built-in reconcilers. */
export const RECONCILERS_TIMEOUT = Duration.minutes(2);

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
      visibilityTimeout: visibilityOf(RECONCILERS_TIMEOUT),
      deadLetterQueue: { queue: this.deadRequests, maxReceiveCount: RECEIVES },
    });
    this.later = new Queue(this, 'Later', {
      ...COMMON,
      visibilityTimeout: visibilityOf(RECONCILERS_TIMEOUT),
      deadLetterQueue: { queue: this.dead, maxReceiveCount: RECEIVES },
    });
  }
}
