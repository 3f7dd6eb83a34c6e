import { CfnOutput, CustomResource, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import { defined } from '#lib/machinery/defined.ts';
import { commandsOf } from './commands.ts';
import { Api } from './constructs/api.ts';
import { AuditDelivery } from './constructs/audit-delivery.ts';
import { Budget } from './constructs/budget.ts';
import { Channel } from './constructs/channel.ts';
import { Doorbell } from './constructs/doorbell.ts';
import { MetricsServer } from './constructs/metrics-server.ts';
import { Observability } from './constructs/observability.ts';
import type { PlatformFunction } from './constructs/platform-function.ts';
import { Queues } from './constructs/queues.ts';
import { Reconcilers } from './constructs/reconcilers.ts';
import { Scheduler } from './constructs/scheduler.ts';
import { serverOptionsFile } from './constructs/server-options.ts';
import { Store } from './constructs/store.ts';
import { addFolder } from './constructs/users/folder.ts';
import type { Platform } from './constructs/users/platform.ts';
import { Users } from './constructs/users/users.ts';
import type { Context } from './context.ts';
import { kubeconfigCommand } from './kubeconfig-command.ts';

/** A control plane in an AWS account. Users add their reconcilers and webhooks to it as constructs. */
export class PlatformStack extends Stack implements Platform {
  readonly context: Context;
  /** The WebSocket API of nodes. Undefined without `nodes=true`. */
  readonly channel: Channel | undefined;
  readonly api: Api;
  readonly queues: Queues;
  /** The group of all schedules. One-time schedules are created while the stack runs, and deleted with it. */
  readonly schedules: ScheduleGroup;
  readonly doorbell: PlatformFunction;
  readonly reconcilers: Reconcilers;
  /** Undefined if another scheduler places pods. */
  readonly scheduler: Scheduler | undefined;
  readonly users: Users;
  readonly #made: PlatformFunction[] = [];
  #declared: CustomResource | undefined;

  constructor(scope: Construct, id: string, context: Context, props?: StackProps) {
    super(scope, id, props);
    this.context = context;
    const users = (this.users = new Users(this, context.clusterId));
    const options = serverOptionsFile(this, context);
    const store = new Store(this, 'Store', {
      ...context,
      retain: context.stage === 'production',
      ...defined({ stream: context.table }),
    });
    const channel = (this.channel = context.nodes ? new Channel(this, 'Channel', { context, store }) : undefined);
    const api = (this.api = new Api(this, 'Api', { context, store, users, channel, options }));
    const bus = new EventBus(this, 'Bus', { description: `Davit ${context.clusterId}: every committed change` });
    const queues = (this.queues = new Queues(this, 'Queues'));
    const schedules = (this.schedules = new ScheduleGroup(this, 'Schedules', { removalPolicy: RemovalPolicy.DESTROY }));
    const shared = { context, store, queues, schedules, users, options, channel };
    this.doorbell = new Doorbell(this, 'Doorbell', { ...shared, bus }).function;
    this.reconcilers = new Reconcilers(this, 'Reconcilers', { ...shared, endpoint: api.endpoint });
    this.scheduler = context.scheduler
      ? new Scheduler(this, 'Scheduler', { ...shared, bus, endpoint: api.endpoint })
      : undefined;
    const metrics = context.metricsApi
      ? new MetricsServer(this, 'MetricsServer', { store, options, channel })
      : undefined;
    const scheduler = this.scheduler === undefined ? {} : { Scheduler: this.scheduler.function.logGroup };
    const measuring = metrics === undefined ? {} : { MetricsServer: metrics.function.logGroup };
    const logGroups = {
      Api: api.logGroup,
      Reconcilers: this.reconcilers.function.logGroup,
      ...scheduler,
      ...measuring,
    };
    new AuditDelivery(this, 'AuditDelivery', { context, logGroups });
    new Budget(this, 'Budget', context);
    new Observability(this, 'Observability', { context, api, doorbell: this.doorbell, queues, store });
    this.#outputs(context, api.endpoint);
    this.#output('TableName', 'the table that holds every object', store.table.tableName);
    this.#output('BusName', 'the event bus that carries every committed change', bus.eventBusName);
    for (const [name, { what, command }] of Object.entries(commandsOf(this, { store, bus })))
      this.#output(name, what, command);
    if (context.functions !== undefined) addFolder(this, context.functions);
  }

  declare(made: PlatformFunction): void {
    this.#made.push(made);
    this.#declared ??= this.#declaration();
    this.#declared.node.addDependency(made);
  }

  /** The custom resource that triggers the stream's function when the declared functions change. */
  #declaration(): CustomResource {
    const declaration = new CustomResource(this, 'Declared', {
      serviceToken: this.doorbell.functionArn,
      resourceType: 'Custom::DavitFunctions',
      properties: { Declared: this.users.digest },
    });
    declaration.node.addDependency(this.doorbell, this.reconcilers);
    return declaration;
  }

  /** The log groups of all functions, including those of users. */
  get logGroups(): readonly ILogGroup[] {
    const own = this.scheduler === undefined ? [] : [this.scheduler.function];
    const relay = this.channel === undefined ? [] : [this.channel.function];
    const others = [this.reconcilers.function, ...own, ...relay, ...this.#made];
    return [this.api.logGroup, ...others.map(({ logGroup }) => logGroup)];
  }

  #outputs({ clusterId, stage }: Context, endpoint: string): void {
    this.#output('Endpoint', 'where kubectl connects', endpoint);
    this.#output('ClusterId', 'what tokens are made for', clusterId);
    const command = kubeconfigCommand({ clusterId, endpoint, region: this.region });
    this.#output('Kubeconfig', 'run this to reach the control plane by kubectl', command);
    this.#output('AfterDestroy', 'what cdk destroy leaves', stage === 'production' ? RETAINED : 'nothing');
  }

  #output(id: string, description: string, value: string): void {
    new CfnOutput(this, id, { description, value });
  }
}

const RETAINED = 'the table and its key: delete them by hand once nobody needs the data';
