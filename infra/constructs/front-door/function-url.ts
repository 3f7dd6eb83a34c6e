import { Duration, Fn } from 'aws-cdk-lib';
import { FunctionUrlAuthType, InvokeMode } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { codeWith } from '../code.ts';
import { PlatformFunction } from '../platform-function.ts';
import { limitsOfOneRequest, MEMORY, type Door, type DoorProps } from './door.ts';

/** A watch lasts at most 5 minutes here, a request a minute; the rest is for a clean end. */
const TIMEOUT = Duration.minutes(6);

/** One request has one environment. The function itself asks who calls, as every API server does. */
export function functionUrlDoor(scope: Construct, { context, environment, access, options }: DoorProps): Door {
  const { reservedConcurrency } = context;
  const apiserver = new PlatformFunction(scope, 'Function', {
    context,
    bundle: codeWith('apiserver-function-url', context, options),
    description: 'Davit: the API server behind its function URL',
    timeout: TIMEOUT,
    memory: MEMORY,
    reservedConcurrency,
    environment: { ...environment, ...limitsOfOneRequest(context) },
    access,
  });
  const { url } = apiserver.addFunctionUrl({
    authType: FunctionUrlAuthType.NONE,
    invokeMode: InvokeMode.RESPONSE_STREAM,
  });
  return {
    role: apiserver.ownRole,
    logGroup: apiserver.logGroup,
    endpoint: `https://${Fn.select(2, Fn.split('/', url))}`,
    faults: apiserver.metric('Url5xxCount', { statistic: 'Sum', period: Duration.minutes(5) }),
    throttles: apiserver.metricThrottles(),
  };
}
