import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Context } from '../context.ts';
import { allow, dataKeyAccess, tableAccess } from './access.ts';
import { hourly } from './hourly.ts';
import { PlatformFunction } from './platform-function.ts';
import type { Queues } from './queues.ts';
import type { Store } from './store.ts';

export interface ReconcilersProps {
  readonly context: Context;
  readonly store: Store;
  readonly queues: Queues;
  /** Where the control plane answers. */
  readonly endpoint: string;
}

/** Batches that are worked on at once, of each queue. */
const AT_ONCE = 20;

/** The built-in reconcilers: one function that both queues feed. */
export class Reconcilers extends Construct {
  readonly function: PlatformFunction;

  constructor(scope: Construct, id: string, { context, store, queues, endpoint }: ReconcilersProps) {
    super(scope, id);
    const { requests, later, dead } = queues;
    const scheduleRole = sendingRole(this, later);
    this.function = new PlatformFunction(this, 'Function', {
      context,
      bundle: 'reconcilers',
      description: 'Davit: the built-in reconcilers',
      timeout: Duration.minutes(2),
      memory: 1024,
      environment: {
        DAVIT_TABLE: store.table.tableName,
        DAVIT_KMS_KEY: store.key.keyArn,
        DAVIT_CLUSTER_ID: context.clusterId,
        DAVIT_ADMIN: context.admin,
        DAVIT_ENDPOINT: endpoint,
        DAVIT_QUEUE_URL: requests.queueUrl,
        DAVIT_LATER_QUEUE_URL: later.queueUrl,
        DAVIT_DLQ_URL: dead.queueUrl,
        DAVIT_LATER_QUEUE_ARN: later.queueArn,
        DAVIT_SCHEDULE_ROLE: scheduleRole.roleArn,
      },
      access: [
        ...tableAccess(store),
        dataKeyAccess(store, context.clusterId),
        allow('Send', ['sqs:SendMessage'], requests.queueArn, later.queueArn, dead.queueArn),
        allow(
          'Receive',
          ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ChangeMessageVisibility'],
          requests.queueArn,
          later.queueArn,
        ),
        ...scheduling(scheduleRole),
      ],
    });
    hourly(this, this.function, 'Davit: begins what only time tells, as the expiry of events');
    for (const [name, queue] of Object.entries({ Requests: requests, Later: later })) {
      new EventSourceMapping(this, name, {
        target: this.function,
        eventSourceArn: queue.queueArn,
        batchSize: 10,
        maxConcurrency: AT_ONCE,
        reportBatchItemFailures: true,
      });
    }
  }
}

/** The role of schedules that fire once: what waits longer than a queue may comes back by way of `later`. */
function sendingRole(scope: Construct, later: Queue): Role {
  return new Role(scope, 'ScheduleRole', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
    description: `${Stack.of(scope).stackName}: schedules of reconcilers`,
    inlinePolicies: {
      Access: new PolicyDocument({ statements: [allow('Send', ['sqs:SendMessage'], later.queueArn)] }),
    },
  });
}

/** To make schedules in the account's default group, in the name of that role alone. */
function scheduling(role: Role): readonly PolicyStatement[] {
  const pass = allow('ScheduleRole', ['iam:PassRole'], role.roleArn);
  pass.addCondition('StringEquals', { 'iam:PassedToService': 'scheduler.amazonaws.com' });
  const resourceName = 'default/*';
  const schedules = Stack.of(role).formatArn({ service: 'scheduler', resource: 'schedule', resourceName });
  return [allow('Schedules', ['scheduler:CreateSchedule'], schedules), pass];
}
