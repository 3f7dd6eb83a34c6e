import { Duration, Lazy } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { partitions } from '#adapters/aws/dynamodb/layout.ts';
import { TABLE } from '#adapters/aws/dynamodb/table.ts';
import { defined } from '#lib/machinery/defined.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { leaseSequence } from '#lib/storage/sequences.ts';
import type { Context } from '../context.ts';
import { allow, dataKeyAccess, ringAccess, tableAccess } from './access.ts';
import type { Channel } from './channel.ts';
import { codeWith } from './code.ts';
import { PlatformFunction } from './platform-function.ts';
import type { Queues } from './queues.ts';
import { scheduled } from './scheduled.ts';
import type { Store } from './store.ts';
import type { Users } from './users/users.ts';

const LEASES = leaseSequence(DEFAULT_CLUSTER);

/** Matches inserted log entries only: one commit is one record, however much a checkpoint writes. */
const COMMITS = {
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { Keys: { [TABLE.partitionKey]: { S: FilterRule.beginsWith(TABLE.logPrefix) } } },
};

/**
 * Excludes the log of Leases: nothing depends on their renewals, and the API server folds that log. A filter accepts one condition per
 * attribute, so the filter recognizes entries by their sort keys, which are positions. A chunk of an object over 300 KB may have such a key
 * too and then triggers a run without effect.
 */
const COMMITS_BUT_LEASES = {
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: {
    Keys: {
      [TABLE.partitionKey]: { S: FilterRule.notEquals(partitions(LEASES).log) },
      [TABLE.sortKey]: { S: FilterRule.beginsWith(TABLE.positionPrefix) },
    },
  },
};

/** The parts of the stack that the doorbell needs. */
export interface DoorbellProps {
  readonly context: Context;
  readonly store: Store;
  readonly bus: EventBus;
  readonly queues: Queues;
  readonly schedules: ScheduleGroup;
  readonly users: Pick<Users, 'reconcilers' | 'hear'>;
  /** The connections of the nodes to notify, if any. */
  readonly channel: Pick<Channel, 'environment' | 'access' | 'function'> | undefined;
}

/** The function that the table's stream triggers, and an hourly schedule for undelivered changes. */
export class Doorbell extends Construct {
  readonly function: PlatformFunction;

  constructor(scope: Construct, id: string, props: DoorbellProps) {
    super(scope, id);
    const { context, store, bus, queues, schedules, users, channel } = props;
    this.function = new PlatformFunction(this, 'Function', {
      context,
      bundle: codeWith('stream', context, users.reconcilers),
      description: 'Davit: checkpoints logs and publishes what is new in them',
      timeout: Duration.minutes(5),
      memory: 512,
      environment: {
        DAVIT_TABLE: store.table.tableName,
        DAVIT_KMS_KEY: store.key.keyArn,
        DAVIT_CLUSTER_ID: context.clusterId,
        DAVIT_BUS: bus.eventBusName,
        DAVIT_QUEUE_URL: queues.requests.queueUrl,
        ...defined({ DAVIT_PUBLISH: context.publish }),
        ...channel?.environment,
        ...(channel && { DAVIT_CHANNEL_FUNCTION: channel.function.functionName }),
      },
      access: [
        ...tableAccess(store, 'objects', 'deadLetters'),
        dataKeyAccess(store, context.clusterId),
        allow('Bus', ['events:PutEvents'], bus.eventBusArn),
        allow('Queue', ['sqs:SendMessage'], queues.requests.queueArn),
        ...streamAccess(store),
        allow('Failed', ['sqs:SendMessage'], queues.dead.queueArn),
        ...(channel === undefined ? [] : [ringAccess(store), ...channel.access, handOver(channel)]),
      ],
    });
    this.#ringOnCommits({ store, queues }, () => context.publish?.includes('leases') === true || users.hear(LEASES));
    scheduled(this, 'Hourly', {
      target: this.function,
      group: schedules,
      every: Duration.hours(1),
      description: 'Davit: rings for cursors that lag',
    });
  }

  /** Creates the filter for commits lazily, because it depends on the whole stack. */
  #ringOnCommits(
    { store: { table }, queues: { dead } }: Pick<DoorbellProps, 'store' | 'queues'>,
    isLeaseHeard: () => boolean,
  ): void {
    new EventSourceMapping(this, 'Commits', {
      target: this.function,
      eventSourceArn: table.tableStreamArn ?? '',
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [
        { pattern: Lazy.string({ produce: () => JSON.stringify(isLeaseHeard() ? COMMITS : COMMITS_BUT_LEASES) }) },
      ],
      batchSize: 1000,
      // Two concurrent runs would read the same logs.
      parallelizationFactor: 1,
      // A record only indicates that there is something to read. The next record and the hourly schedule trigger the function again. So a
      // failed batch is retried a few times without splitting, and then becomes a dead letter.
      retryAttempts: 5,
      maxRecordAge: Duration.hours(1),
      bisectBatchOnError: false,
      onFailure: { bind: () => ({ destination: dead.queueArn }) },
    });
  }
}

/** Permission to have the relay notify many nodes. */
const handOver = ({ function: relay }: Pick<Channel, 'function'>): PolicyStatement =>
  allow('Relay', ['lambda:InvokeFunction'], relay.functionArn);

/** Permissions that Lambda needs in the function's role to follow a stream. */
function streamAccess({ table }: Store): PolicyStatement[] {
  const read = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];
  return [allow('Stream', read, table.tableStreamArn ?? ''), allow('Streams', ['dynamodb:ListStreams'], '*')];
}
