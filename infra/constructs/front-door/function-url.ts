import { Duration, Fn } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { FunctionUrlAuthType, InvokeMode } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { defined } from '#lib/machinery/defined.ts';
import { codeWith } from '../code.ts';
import { PlatformFunction, type PlatformFunctionProps } from '../platform-function.ts';
import { type Door, type DoorProps, limitsOfOneRequest, watchSlots } from './door.ts';

/** The time-out of an invocation. Here a watch lasts at most 5 minutes and a request one minute, and the rest allows a clean end. */
const TIMEOUT = Duration.minutes(6);

/**
 * Each request has its own environment. The function itself authenticates callers, as every API server does. With `watchMemory` a second
 * function with the same code serves watches, and takes its share of the reserved concurrency.
 */
export function functionUrlDoor(scope: Construct, { context, environment, access, options }: DoorProps): Door {
  const { reservedConcurrency, watchMemory } = context;
  const shared = {
    context,
    bundle: codeWith('apiserver-function-url', context, options),
    timeout: TIMEOUT,
    environment: { ...environment, ...limitsOfOneRequest(context) },
    access,
  };
  const forWatches = watchMemory === undefined ? 0 : watchSlots(reservedConcurrency);
  const apiserver = new PlatformFunction(scope, 'Function', {
    ...shared,
    description: 'Davit: the API server behind its function URL',
    memory: context.memory,
    reservedConcurrency: reservedConcurrency - forWatches,
  });
  const endpoint = endpointOf(apiserver);
  const watches =
    watchMemory === undefined
      ? undefined
      : watchFunction(scope, apiserver, { ...shared, memory: watchMemory, reservedConcurrency: forWatches });
  return {
    role: apiserver.ownRole,
    logGroup: apiserver.logGroup,
    endpoint,
    ...defined({ watchEndpoint: watches && endpointOf(watches) }),
    faults: faultsOf(apiserver, watches),
    throttles: apiserver.metricThrottles(),
  };
}

function watchFunction(
  scope: Construct,
  beside: PlatformFunction,
  props: Omit<PlatformFunctionProps, 'description' | 'beside'>,
) {
  const description = 'Davit: the API server, for watches';
  return new PlatformFunction(scope, 'Watches', { ...props, description, beside });
}

function endpointOf(apiserver: PlatformFunction): string {
  const { url } = apiserver.addFunctionUrl({
    authType: FunctionUrlAuthType.NONE,
    invokeMode: InvokeMode.RESPONSE_STREAM,
  });
  return `https://${Fn.select(2, Fn.split('/', url))}`;
}

function faultsOf(apiserver: PlatformFunction, watches: PlatformFunction | undefined): IMetric {
  const period = Duration.minutes(5);
  const faults = (of: PlatformFunction) => of.metric('Url5xxCount', { statistic: 'Sum', period });
  if (watches === undefined) return faults(apiserver);
  const usingMetrics = { requests: faults(apiserver), watches: faults(watches) };
  return new MathExpression({ expression: 'requests + watches', label: '5xx answers', usingMetrics, period });
}
