import { Aspects, CfnResource, Duration, type IAspect, Names, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { WebFunction, WebFunctionAuthType, WebFunctionCode, WebFunctionRuntime } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct, IConstruct } from 'constructs';
import type { Context } from '../../context.ts';
import { folderWith } from '../code.ts';
import { logEnvironment, logGroupOf, roleOf } from '../platform-function.ts';
import type { Door, DoorProps } from './door.ts';

/** The maximum number of requests that share an environment, and the maximum duration of one request. */
const REQUESTS = 128;
const TIMEOUT = Duration.minutes(15);

/** A Lambda Web Function. Many requests share one environment, so several watches cost little more than one. */
export function webFunctionDoor(scope: Construct, { context, environment, access, options }: DoorProps): Door {
  const logGroup = logGroupOf(scope, 'FunctionLog', context);
  const role = roleOf(scope, 'FunctionRole', { service: 'lambda', logGroup, access });
  const apiserver = new WebFunction(scope, 'Function', {
    code: WebFunctionCode.fromAssetToManagedBucket(folderWith('apiserver-server', context, options)),
    runtime: WebFunctionRuntime.NODEJS_24_X,
    role,
    logGroup,
    environment: { ...environment, ...logEnvironment(context) },
    timeout: TIMEOUT,
    maxConcurrencyPerEnvironment: REQUESTS,
    // The API server itself authenticates callers.
    defaultEndpointAuth: WebFunctionAuthType.APPLICATION_MANAGED,
    webFunctionName: Names.uniqueResourceName(scope, { maxLength: 60 }),
  });
  Aspects.of(Stack.of(scope)).add(new LogsGo(logGroupOf(scope, 'CodeLog', context).logGroupName, context));
  return {
    role,
    logGroup,
    endpoint: `https://${apiserver.endpoint.domainName}`,
    faults: new Metric({
      namespace: 'AWS/Lambda/Web',
      metricName: 'HTTPResponseStatusClass5XX',
      dimensionsMap: { FunctionName: apiserver.webFunctionName, EndpointName: 'prod' },
      statistic: 'Sum',
      period: Duration.minutes(5),
    }),
  };
}

/**
 * Deletes the log group of CDK's own functions together with the stack. These functions copy and remove the code. The log group gets the
 * key and retention of the other log groups.
 */
class LogsGo implements IAspect {
  readonly #logGroup: string;
  readonly #logKey: string | undefined;
  readonly #days: number;

  constructor(logGroup: string, { logKey, logRetention }: Pick<Context, 'logKey' | 'logRetention'>) {
    this.#logGroup = logGroup;
    this.#logKey = logKey;
    this.#days = logRetention;
  }

  visit(node: IConstruct): void {
    if (node instanceof CfnLogGroup && this.#logKey !== undefined) node.kmsKeyId = this.#logKey;
    if (node instanceof CfnLogGroup) node.retentionInDays = this.#days;
    if (node instanceof LogGroup) node.applyRemovalPolicy(RemovalPolicy.DESTROY);
    if (node.node.path.includes('S3AutoDeleteObjects') && isFunction(node))
      node.addPropertyOverride('LoggingConfig', { LogGroup: this.#logGroup });
  }
}

const isFunction = (node: IConstruct): node is CfnResource =>
  node instanceof CfnResource && node.cfnResourceType === 'AWS::Lambda::Function';
