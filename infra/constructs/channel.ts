import { Duration, Stack } from 'aws-cdk-lib';
import { WebSocketApi, WebSocketStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { WebSocketLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Context } from '../context.ts';
import { allow, relayAccess } from './access.ts';
import { PlatformFunction } from './platform-function.ts';
import type { Store } from './store.ts';

/** The parts of the stack that the channel needs. */
export interface ChannelProps {
  readonly context: Context;
  readonly store: Store;
}

/** The maximum time that API Gateway waits for a function. */
const TIMEOUT = Duration.seconds(29);
const STAGE = 'davit';

/** The WebSocket API to which nodes connect, and the relay behind it. It costs nothing when idle. Connections and messages are billed. */
export class Channel extends Construct {
  readonly function: PlatformFunction;
  /** The URL to which nodes connect, for functions that call pods and for the doorbell, which notifies nodes. */
  readonly environment: { readonly DAVIT_CHANNEL_URL: string };
  /** Permission for the same functions to post to connections. */
  readonly access: readonly PolicyStatement[];

  constructor(scope: Construct, id: string, { context, store }: ChannelProps) {
    super(scope, id);
    const { channelConcurrency } = context;
    const api = new WebSocketApi(this, 'Api', {
      apiName: `davit-${context.clusterId}`,
      description: `Davit ${context.clusterId}: connections of nodes`,
    });
    const { region } = Stack.of(this);
    this.environment = { DAVIT_CHANNEL_URL: `wss://${api.apiId}.execute-api.${region}.amazonaws.com/${STAGE}` };
    const connections = (...methods: readonly string[]): PolicyStatement =>
      allow(
        'Connections',
        ['execute-api:ManageConnections'],
        ...methods.map((method) => api.arnForExecuteApiV2(`${method}/@connections/*`, STAGE)),
      );
    this.access = [connections('POST')];
    this.function = new PlatformFunction(this, 'Function', {
      context,
      bundle: 'channel',
      description: 'Davit: relays messages of nodes',
      timeout: TIMEOUT,
      memory: 128,
      reservedConcurrency: channelConcurrency,
      environment: { DAVIT_TABLE: store.table.tableName, ...this.environment },
      access: [...relayAccess(store), connections('POST', 'DELETE')],
    });
    const integration = new WebSocketLambdaIntegration('Relay', this.function);
    for (const route of ['$connect', '$default', '$disconnect']) api.addRoute(route, { integration });
    // The rate limit of Lambda at this concurrency. Messages that the gateway rejects are not billed, while those that the function rejects
    // are.
    const rate = channelConcurrency * 10;
    new WebSocketStage(this, 'Stage', {
      webSocketApi: api,
      stageName: STAGE,
      autoDeploy: true,
      throttle: { rateLimit: rate, burstLimit: rate },
    });
  }
}
