import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { systemClock } from '#adapters/clock.ts';
import { metricsServer } from '#functions/metrics-server/wiring.ts';
import { READER_RULES } from '#lib/sdk/metrics-server/reader-rules.ts';
import { callAccess, readAccess } from './access.ts';
import type { Channel } from './channel.ts';
import { codeWith, type DeclaredFile } from './code.ts';
import { PlatformFunction, type PlatformFunctionProps } from './platform-function.ts';
import type { Store } from './store.ts';
import type { Platform } from './users/platform.ts';

/** The parts of the stack that the metrics API needs. */
export interface MetricsServerProps {
  readonly store: Store;
  /** The options of the API server, which runs inside this function if it reaches nodes itself. */
  readonly options: DeclaredFile;
  /** The connections of nodes. Undefined if the API server holds the connections. */
  readonly channel: Pick<Channel, 'environment' | 'access'> | undefined;
}

/**
 * The maximum number of concurrent requests. Each environment scrapes nodes itself, so the number is small. Further requests return 503.
 */
const CONCURRENCY = 5;
/** The time-out of an invocation. A response takes at most half of it. */
const TIMEOUT = Duration.minutes(1);
/** Memory in MB, the same as the API server's function. */
const MEMORY = 512;

/** The declaration of the API. The handler is never called here. */
const { declaration } = metricsServer({
  handle: () => Promise.reject(new TypeError('no server')),
  clock: systemClock,
  resolution: 0,
  onFault: () => undefined,
});
const { name: NAME } = declaration;

/** The metrics API as a function, which the built-in reconcilers register as an aggregated API. */
export class MetricsServer extends Construct {
  readonly function: PlatformFunction;

  constructor(platform: Platform, id: string, { store, options, channel }: MetricsServerProps) {
    super(platform, id);
    const { context, users, api, reconcilers } = platform;
    const functionName = users.nameOf(NAME);
    const { environment, ...rest } =
      channel === undefined ? ofRole(platform) : withServer(platform, { store, options, channel });
    this.function = new PlatformFunction(this, 'Function', {
      context,
      bundle: codeWith('metrics-server', context, options),
      name: functionName,
      description: 'Davit: the metrics of nodes and pods',
      timeout: TIMEOUT,
      memory: MEMORY,
      reservedConcurrency: CONCURRENCY,
      environment: {
        ...environment,
        DAVIT_CLUSTER_ID: context.clusterId,
        DAVIT_METRIC_RESOLUTION: context.metricResolution,
      },
      ...rest,
    });
    users.addApi(declaration, functionName);
    // Refers to the function by name to avoid a cycle: the function's environment may name the API server, which needs this permission.
    const arn = Stack.of(this).formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: functionName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    // The autoscaler among the built-in reconcilers reads metrics via the reconcilers' own API server.
    for (const role of [api.role, reconcilers.function.ownRole]) users.allow(role, 'lambda:InvokeFunction', arn);
    platform.declare(this.function);
  }
}

type Parts = Pick<PlatformFunctionProps, 'environment' | 'access' | 'roleName'>;

/** The settings of a function that reads nodes and pods via its own read-only API server, and reaches nodes via their channels. */
function withServer(
  { context }: Platform,
  { store, channel }: MetricsServerProps & { readonly channel: NonNullable<MetricsServerProps['channel']> },
): Parts {
  return {
    environment: {
      DAVIT_TABLE: store.table.tableName,
      DAVIT_KMS_KEY: store.key.keyArn,
      DAVIT_ADMIN: context.admin,
      ...channel.environment,
    },
    access: [...readAccess(store, context.clusterId), callAccess(store), ...channel.access],
  };
}

/**
 * The settings of a function that sends requests to the API server, to which nodes are connected. The API server authenticates it by its
 * role.
 */
function ofRole({ api, users }: Platform): Parts {
  users.addAccount(NAME, READER_RULES);
  return { environment: { DAVIT_SERVER_URL: api.endpoint }, access: [], roleName: users.roleNameOf(NAME) };
}
