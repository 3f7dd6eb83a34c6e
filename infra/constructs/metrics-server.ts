import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { systemClock } from '#adapters/clock.ts';
import { metricsServer } from '#functions/metrics-server/wiring.ts';
import { callAccess, readAccess } from './access.ts';
import type { Channel } from './channel.ts';
import { codeWith, type DeclaredFile } from './code.ts';
import { PlatformFunction } from './platform-function.ts';
import type { Store } from './store.ts';
import type { Platform } from './users/platform.ts';

/** The parts of the stack that the metrics API needs. */
export interface MetricsServerProps {
  readonly store: Store;
  /** The options of the API server, which is in this function too. */
  readonly options: DeclaredFile;
  /** The connections of nodes. */
  readonly channel: Pick<Channel, 'environment' | 'access'>;
}

/** Requests at once. Each environment has scrapes of its own, so there are few; requests beyond that are answered 503. */
const CONCURRENCY = 5;
/** An answer takes half of that at most. */
const TIMEOUT = Duration.minutes(1);
/** Megabytes, as of the API server's function. */
const MEMORY = 512;

/** The declaration of the API. Nothing asks it here. */
const { declaration } = metricsServer({
  handle: () => Promise.reject(new TypeError('no server')),
  clock: systemClock,
  resolution: 0,
  onFault: () => undefined,
});

/**
 * The metrics API as a function, which the built-in reconcilers register as an aggregated API. It reads nodes and pods by an API server of its
 * own that may write nothing, and reaches nodes by their channels.
 */
export class MetricsServer extends Construct {
  readonly function: PlatformFunction;

  constructor(platform: Platform, id: string, { store, options, channel }: MetricsServerProps) {
    super(platform, id);
    const { context, users, api, reconcilers } = platform;
    const functionName = users.nameOf(declaration.name);
    this.function = new PlatformFunction(this, 'Function', {
      context,
      bundle: codeWith('metrics-server', context, options),
      name: functionName,
      description: 'Davit: the metrics of nodes and pods',
      timeout: TIMEOUT,
      memory: MEMORY,
      reservedConcurrency: CONCURRENCY,
      environment: {
        DAVIT_TABLE: store.table.tableName,
        DAVIT_KMS_KEY: store.key.keyArn,
        DAVIT_CLUSTER_ID: context.clusterId,
        DAVIT_ADMIN: context.admin,
        DAVIT_METRIC_RESOLUTION: context.metricResolution,
        ...channel.environment,
      },
      access: [...readAccess(store, context.clusterId), callAccess(store), ...channel.access],
    });
    users.addApi(declaration, functionName);
    // The autoscaler of the built-in reconcilers reads metrics by an API server of its own.
    for (const role of [api.role, reconcilers.function.ownRole])
      users.allow(role, 'lambda:InvokeFunction', this.function.functionArn);
    platform.declare(this.function);
  }
}
