import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import {
  Architecture,
  Code,
  Function as Lambda,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { defined } from '#lib/machinery/defined.ts';
import type { Context } from '../context.ts';
import { codeOf } from './code.ts';
import { countFailures } from './failures.ts';
import { alarmOn } from './function-alarms.ts';

/** The code, environment and limits of a function of the platform. */
export interface PlatformFunctionProps {
  readonly context: Context;
  /** A name from `infra/bundle/bundle.ts`, or existing code. */
  readonly bundle: string | Code;
  /** The export that is the handler. Default `index.handler`. */
  readonly handler?: string;
  /** Default: a name that the platform generates. */
  readonly name?: string;
  /** The name of its role. Default: a name that the platform generates. */
  readonly roleName?: string;
  readonly description: string;
  readonly timeout: Duration;
  /** Memory in MB. Processor time is proportional: one full vCPU at 1,769. */
  readonly memory: number;
  readonly environment: Readonly<Record<string, string>>;
  /** All permissions of its role, except the one to write its own log. */
  readonly access: readonly PolicyStatement[];
  readonly reservedConcurrency?: number;
  /** Another function with the same code. This function uses its role and log group. Default: its own. */
  readonly beside?: PlatformFunction;
}

const RUNTIMES = { nodejs: Runtime.NODEJS_24_X, provided: Runtime.PROVIDED_AL2023 } as const;

/** One function with its own role and log group. The log group is deleted with the stack. */
export class PlatformFunction extends Lambda {
  readonly ownRole: Role;
  readonly ownLog: LogGroup;

  constructor(scope: Construct, id: string, props: PlatformFunctionProps) {
    const { context, reservedConcurrency, memory, timeout, description, environment } = props;
    const { access, roleName: name, beside } = props;
    const logGroup = beside?.ownLog ?? logGroupOf(scope, `${id}Log`, context);
    const role =
      beside?.ownRole ??
      roleOf(scope, `${id}Role`, {
        service: 'lambda',
        logGroup,
        access,
        ...defined({ name }),
      });
    super(scope, id, {
      code: typeof props.bundle === 'string' ? codeOf(props.bundle, context) : props.bundle,
      ...defined({ functionName: props.name }),
      handler: props.handler ?? 'index.handler',
      runtime: RUNTIMES[context.runtime],
      architecture: Architecture.ARM_64,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      description,
      timeout,
      memorySize: memory,
      environment: { ...environment, ...logEnvironment(context) },
      ...(context.tracing === 'xray' ? { tracing: Tracing.ACTIVE } : {}),
      // These loops are intended: a reconciler's write triggers the reconciler again. They end because a no-op write changes nothing.
      recursiveLoop: RecursiveLoop.ALLOW,
      ...defined({ reservedConcurrentExecutions: reservedConcurrency }),
    });
    this.ownRole = role;
    this.ownLog = logGroup;
    if (context.alarms !== false && beside === undefined) countFailures(this, 'Failures', { logGroup, timeout });
    if (context.alarms === 'full') alarmOn(this, timeout, context);
  }
}

/** A log group with the retention and key from the context. */
export function logGroupOf(
  scope: Construct,
  id: string,
  { logKey, logRetention: retention }: Pick<Context, 'logKey' | 'logRetention'>,
): LogGroup {
  const encryptionKey = logKey === undefined ? undefined : Key.fromKeyArn(scope, `${id}Key`, logKey);
  return new LogGroup(scope, id, { retention, removalPolicy: RemovalPolicy.DESTROY, ...defined({ encryptionKey }) });
}

/** Sets the minimum level of log lines that a program of the platform prints. */
export const logEnvironment = ({ logLevel }: Pick<Context, 'logLevel'>): Readonly<Record<string, string>> =>
  logLevel === 'info' ? {} : { DAVIT_LOG_LEVEL: logLevel };

/** The parts of a role. */
export interface RoleParts {
  readonly service: 'lambda' | 'ecs-tasks';
  /** Default: a name that the platform generates. */
  readonly name?: string;
  readonly logGroup: LogGroup;
  readonly access: readonly PolicyStatement[];
}

/** A role with the given permissions, and permission to write to one log group. */
export function roleOf(scope: Construct, id: string, { service, name, logGroup, access }: RoleParts): Role {
  const log = new PolicyStatement({
    sid: 'Log',
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  });
  return new Role(scope, id, {
    ...defined({ roleName: name }),
    assumedBy: new ServicePrincipal(`${service}.amazonaws.com`),
    description: `${Stack.of(scope).stackName}: ${id}`,
    inlinePolicies: { Access: new PolicyDocument({ statements: [log, ...access] }) },
  });
}
