import { Duration } from 'aws-cdk-lib';
import { type EventBus, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { SOURCE } from '#lib/stream/event.ts';
import type { Context } from '../context.ts';
import { allow, callAccess, dataKeyAccess, RECEIVE, tableAccess } from './access.ts';
import type { Channel } from './channel.ts';
import { codeWith, type DeclaredFile } from './code.ts';
import { oneOffAccess, oneOffRole } from './one-off.ts';
import { PlatformFunction } from './platform-function.ts';
import { COMMON, type Queues, RECEIVES, visibilityOf } from './queues.ts';
import { scheduled } from './scheduled.ts';
import { readSchedulerConfig } from './scheduler-config.ts';
import type { Store } from './store.ts';
import type { Users } from './users/users.ts';

/** The parts of the stack that the scheduler needs. */
export interface SchedulerProps {
  readonly context: Context;
  readonly store: Store;
  readonly bus: EventBus;
  readonly queues: Queues;
  readonly schedules: ScheduleGroup;
  readonly users: Pick<Users, 'reviews'>;
  /** The options of the API server, which runs inside this function too. */
  readonly options: DeclaredFile;
  /** The URL of the control plane. */
  readonly endpoint: string;
  /** The connections of nodes, if any, to call extenders and webhooks in pods. */
  readonly channel: Pick<Channel, 'environment' | 'access'> | undefined;
}

/** Changes within this time trigger one run. A FIFO queue has no batching window. */
const WINDOW = Duration.seconds(2);
const TIMEOUT = Duration.minutes(2);

/** Storage and device objects that a pod may wait for in addition to a node. */
const NEEDED = [
  'PersistentVolumeClaim',
  'PersistentVolume',
  'StorageClass',
  'CSINode',
  'CSIDriver',
  'CSIStorageCapacity',
  'ResourceClaim',
  'ResourceSlice',
  'DeviceClass',
];

/**
 * Changes after which a pod may fit on a node, by rule name. Only the resources in a node's status count, so heartbeats trigger nothing.
 */
export const rings = (
  schedulerName: readonly string[],
): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  PodsWaiting: { kind: ['Pod'], type: ['ADDED'], pod: { nodeName: [''], schedulerName } },
  PodsChanged: {
    kind: ['Pod'],
    type: ['MODIFIED'],
    changed: ['metadata', 'spec'],
    pod: { nodeName: [''], schedulerName },
  },
  PodsGone: { kind: ['Pod'], type: ['DELETED'], pod: { nodeName: [{ 'anything-but': '' }] } },
  PodsDone: { kind: ['Pod'], type: ['MODIFIED'], changed: ['status'], pod: { phase: ['Succeeded', 'Failed'] } },
  NodesAdded: { kind: ['Node'], type: ['ADDED'] },
  NodesChanged: { kind: ['Node'], type: ['MODIFIED'], changed: ['metadata', 'spec', 'allocatable'] },
  Needed: { kind: NEEDED },
});

/** The scheduler: one function, triggered by a queue that event bus rules fill. */
export class Scheduler extends Construct {
  readonly function: PlatformFunction;
  readonly queue: Queue;

  constructor(scope: Construct, id: string, props: SchedulerProps) {
    super(scope, id);
    const { context, store, queues, schedules, endpoint, users, options, channel } = props;
    this.queue = new Queue(this, 'Requests', {
      ...COMMON,
      // Retries of a killed run do not depend on it: each run sends itself a message before it starts (docs/adr/0011-scheduler-runs.md).
      visibilityTimeout: visibilityOf(TIMEOUT, WINDOW),
      deadLetterQueue: { queue: queues.dead, maxReceiveCount: RECEIVES },
    });
    const config = readSchedulerConfig(context.schedulerConfig);
    const role = oneOffRole(this, { queue: this.queue, group: schedules, whose: 'the scheduler' });
    this.function = new PlatformFunction(this, 'Function', {
      context,
      bundle: codeWith('scheduler', context, { name: 'scheduler.json', text: () => config.text }, options),
      description: 'Davit: gives pods their nodes',
      timeout: TIMEOUT,
      memory: 1024,
      environment: {
        DAVIT_TABLE: store.table.tableName,
        DAVIT_KMS_KEY: store.key.keyArn,
        DAVIT_CLUSTER_ID: context.clusterId,
        DAVIT_ADMIN: context.admin,
        DAVIT_ENDPOINT: endpoint,
        DAVIT_REVIEWS: users.reviews,
        DAVIT_QUEUE_ARN: this.queue.queueArn,
        DAVIT_QUEUE_URL: this.queue.queueUrl,
        DAVIT_SCHEDULE_ROLE: role.roleArn,
        DAVIT_SCHEDULE_GROUP: schedules.scheduleGroupName,
        ...channel?.environment,
      },
      access: [
        ...tableAccess(store, 'objects', 'identity'),
        dataKeyAccess(store, context.clusterId),
        allow('Queue', [...RECEIVE, 'sqs:SendMessage'], this.queue.queueArn),
        ...oneOffAccess(role, schedules),
        ...(channel === undefined ? [] : [callAccess(store), ...channel.access]),
      ],
    });
    new EventSourceMapping(this, 'Requested', {
      target: this.function,
      eventSourceArn: this.queue.queueArn,
      batchSize: 1_000,
      maxBatchingWindow: WINDOW,
      maxConcurrency: 2, // the minimum: the Lease admits one run at a time, and a second one retries later
    });
    this.#ringOn(props, config.schedulerNames);
    scheduled(this, 'SixHourly', {
      target: this.function,
      group: schedules,
      every: Duration.hours(6),
      description: 'Davit: looks at pods that wait, whatever was lost',
    });
  }

  #ringOn({ bus, queues: { dead } }: SchedulerProps, schedulerNames: readonly string[]): void {
    for (const [name, detail] of Object.entries(rings(schedulerNames))) {
      new Rule(this, name, {
        eventBus: bus,
        description: 'Davit: has the scheduler look at pods that wait',
        eventPattern: { source: [SOURCE], detail },
        targets: [
          new SqsQueue(this.queue, {
            message: RuleTargetInput.fromEventPath('$.detail'),
            deadLetterQueue: dead,
          }),
        ],
      });
    }
  }
}
