import { Duration } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/**
 * The visibility time-out of a queue: six times the function's time-out plus its batching window, as AWS advises. So Lambda can retry if it
 * has no capacity for an invocation, and no message is processed twice concurrently. Reconcilers shorten it after they start
 * (`functions/reconcilers/sqs-batch.ts`), so messages of a killed invocation return seconds after its time-out.
 */
export const visibilityOf = (timeout: Duration, window: Duration = Duration.seconds(0)): Duration =>
  Duration.seconds(6 * timeout.toSeconds() + window.toSeconds());

/** The timeout of the function of the built-in reconcilers. */
export const RECONCILERS_TIMEOUT = Duration.minutes(2);

/** Delivers requests in order per object. */
export const IN_ORDER = {
  fifo: true,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  contentBasedDeduplication: false,
} satisfies QueueProps;

/**
 * The number of deliveries after which a message is moved to the dead-letter queue. Reconcilers count their own failures, so this limit
 * covers lost invocations.
 */
export const RECEIVES = 10;

/** The settings of every queue. An unprocessed message stays for the maximum time that SQS allows. */
export const COMMON = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
} satisfies QueueProps;

/** The queues of requests to reconcilers: ordered per object, delayed, and dead letters. */
export class Queues extends Construct {
  /** The message group is the object, so each object has one request at a time and different objects run concurrently. */
  readonly requests: Queue;
  /** Messages that are delayed by up to 15 minutes. */
  readonly later: Queue;
  /** Messages that are no longer retried. */
  readonly dead: Queue;
  /** Dead letters of `requests`. The dead-letter queue of a FIFO queue must be FIFO too. */
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
