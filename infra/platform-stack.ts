import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { Api } from './constructs/api.ts';
import { Doorbell } from './constructs/doorbell.ts';
import { Observability } from './constructs/observability.ts';
import { Queues } from './constructs/queues.ts';
import { Reconcilers } from './constructs/reconcilers.ts';
import { Store } from './constructs/store.ts';
import type { Context } from './context.ts';
import { kubeconfigCommand } from './kubeconfig-command.ts';

/** What a control plane is made of in an account. */
export class PlatformStack extends Stack {
  constructor(scope: Construct, id: string, context: Context, props?: StackProps) {
    super(scope, id, props);
    const store = new Store(this, 'Store', { retain: context.stage === 'production' });
    const api = new Api(this, 'Api', { context, store });
    const bus = new EventBus(this, 'Bus', { description: `Davit ${context.clusterId}: every committed change` });
    const queues = new Queues(this, 'Queues');
    const { function: doorbell } = new Doorbell(this, 'Doorbell', { context, store, bus, queues });
    new Reconcilers(this, 'Reconcilers', { context, store, queues, endpoint: api.endpoint });
    new Observability(this, 'Observability', { context, api, doorbell, queues });
    this.#outputs(context, { endpoint: api.endpoint, table: store.table.tableName, bus: bus.eventBusName });
  }

  #outputs({ clusterId, stage }: Context, made: { endpoint: string; table: string; bus: string }): void {
    const { endpoint, table, bus } = made;
    this.#output('Endpoint', 'where kubectl connects', endpoint);
    this.#output('ClusterId', 'what tokens are made for', clusterId);
    const command = kubeconfigCommand({ clusterId, endpoint, region: this.region });
    this.#output('Kubeconfig', 'run this to reach the control plane by kubectl', command);
    this.#output('TableName', 'the table that holds every object', table);
    this.#output('BusName', 'the event bus that carries every committed change', bus);
    this.#output('AfterDestroy', 'what cdk destroy leaves', stage === 'production' ? RETAINED : 'nothing');
  }

  #output(id: string, description: string, value: string): void {
    new CfnOutput(this, id, { description, value });
  }
}

const RETAINED = 'the table and its key: delete them by hand once nobody needs the data';
