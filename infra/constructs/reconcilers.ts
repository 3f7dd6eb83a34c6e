import { Duration } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { CONTROLLER_NAMES } from '#functions/reconcilers/wiring.ts';
import { selectionErrors } from '#lib/client/controller/selection.ts';
import { nodeRangesIn, rangesText } from '#lib/controllers/node-ipam/ranges.ts';
import { defined } from '#lib/machinery/defined.ts';
import { type Context, ContextError } from '../context.ts';
import { allow, callAccess, dataKeyAccess, RECEIVE, tableAccess } from './access.ts';
import type { Channel } from './channel.ts';
import { clientAuthorityFile } from './client-authority.ts';
import { codeWith, type DeclaredFile } from './code.ts';
import { oneOffAccess, oneOffRole } from './one-off.ts';
import { PlatformFunction } from './platform-function.ts';
import { type Queues, RECONCILERS_TIMEOUT } from './queues.ts';
import { scheduled } from './scheduled.ts';
import type { Store } from './store.ts';
import type { Users } from './users/users.ts';

/** The parts of the stack that the reconcilers need. */
export interface ReconcilersProps {
  readonly context: Context;
  readonly store: Store;
  readonly queues: Queues;
  readonly schedules: ScheduleGroup;
  readonly users: Pick<Users, 'functions' | 'reviews'>;
  /** The options of the API server, which runs inside this function too. */
  readonly options: DeclaredFile;
  /** The URL of the control plane. */
  readonly endpoint: string;
  /** The connections of nodes, if any. Writes of reconcilers call webhooks in pods via these connections. */
  readonly channel: Pick<Channel, 'environment' | 'access'> | undefined;
}

/** The number of concurrent batches of each queue. */
const AT_ONCE = 20;

/** The built-in reconcilers: one function that both queues trigger. */
export class Reconcilers extends Construct {
  readonly function: PlatformFunction;
  /** The settings and permissions with which another function delays requests too. */
  readonly waiting: Waiting;

  constructor(scope: Construct, id: string, props: ReconcilersProps) {
    super(scope, id);
    const { context, store, queues, schedules, endpoint, users, options, channel } = props;
    const { requests, later, dead } = queues;
    this.waiting = waitingIn(this, queues, schedules);
    this.function = new PlatformFunction(this, 'Function', {
      context,
      bundle: codeWith('reconcilers', context, users.functions, options, clientAuthorityFile(context)),
      description: 'Davit: the built-in reconcilers',
      timeout: RECONCILERS_TIMEOUT,
      memory: 1024,
      environment: {
        DAVIT_TABLE: store.table.tableName,
        DAVIT_KMS_KEY: store.key.keyArn,
        DAVIT_CLUSTER_ID: context.clusterId,
        DAVIT_ADMIN: context.admin,
        DAVIT_ENDPOINT: endpoint,
        DAVIT_REVIEWS: users.reviews,
        DAVIT_QUEUE_URL: requests.queueUrl,
        DAVIT_NODE_MONITOR_GRACE_PERIOD: context.nodeMonitorGracePeriod,
        ...defined({ DAVIT_CONTROLLERS: controllersOf(context), DAVIT_NODE_RANGES: nodeRangesOf(context) }),
        // The API server in a VPC may reach servers that this function cannot.
        ...(context.frontDoor === 'container' ? { DAVIT_ASK_AGGREGATED: 'false' } : {}),
        ...this.waiting.environment,
        ...channel?.environment,
      },
      access: [
        ...tableAccess(store, 'objects', 'identity'),
        dataKeyAccess(store, context.clusterId),
        allow('Send', ['sqs:SendMessage'], requests.queueArn, later.queueArn, dead.queueArn),
        allow('Receive', RECEIVE, requests.queueArn, later.queueArn),
        ...this.waiting.access,
        ...(channel === undefined ? [] : [callAccess(store), ...channel.access]),
      ],
    });
    scheduled(this, 'Hourly', {
      target: this.function,
      group: schedules,
      every: Duration.hours(1),
      description: 'Davit: begins what only time tells, as the expiry of events',
    });
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

/** The controllers to run, in the format that the function reads. Undefined for the default. Throws ContextError. */
function controllersOf({ controllers }: Context): string | undefined {
  const [fault] = selectionErrors(controllers ?? [], CONTROLLER_NAMES);
  if (fault !== undefined) throw new ContextError(`context controllers: ${fault}`);
  return controllers?.join(',');
}

/** The pod ranges for nodes, in the format that the function reads. Undefined if nodes get none. Throws ContextError. */
function nodeRangesOf(context: Context): string | undefined {
  const { allocateNodeCidrs } = context;
  const without = RANGE_VALUES.find((name) => context[name] !== undefined);
  if (!allocateNodeCidrs && without !== undefined) throw new ContextError(`context ${without} needs allocateNodeCidrs`);
  try {
    const ranges = nodeRangesIn(context, (flag) => `context ${flag}`);
    return ranges && rangesText(ranges);
  } catch (error) {
    if (error instanceof TypeError) throw new ContextError(error.message, { cause: error });
    throw error;
  }
}

const RANGE_VALUES = ['clusterCidr', 'nodeCidrMaskSize', 'nodeCidrMaskSizeIpv4', 'nodeCidrMaskSizeIpv6'] as const;

/** The settings and permissions with which a function delays requests. */
export interface Waiting {
  readonly environment: Readonly<Record<string, string>>;
  readonly access: readonly PolicyStatement[];
}

function waitingIn(scope: Construct, { later, dead }: Queues, schedules: ScheduleGroup): Waiting {
  const role = oneOffRole(scope, { queue: later, group: schedules, whose: 'reconcilers' });
  return {
    environment: {
      DAVIT_LATER_QUEUE_URL: later.queueUrl,
      DAVIT_DLQ_URL: dead.queueUrl,
      DAVIT_LATER_QUEUE_ARN: later.queueArn,
      DAVIT_SCHEDULE_ROLE: role.roleArn,
      DAVIT_SCHEDULE_GROUP: schedules.scheduleGroupName,
    },
    access: oneOffAccess(role, schedules),
  };
}
