import { resolve } from 'node:path';
import { CfnOutput, CustomResource, Duration } from 'aws-cdk-lib';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Declaration } from '#lib/client/controller/declaration.ts';
import { runInstalled } from '#lib/machinery/package-name.ts';
import { authorsDigest } from '../../bundle/authors-digest.ts';
import { ContextError } from '../../context.ts';
import { allow, RECEIVE } from '../access.ts';
import { usersCode } from '../code.ts';
import { PlatformFunction } from '../platform-function.ts';
import { COMMON, IN_ORDER, RECEIVES, visibilityOf } from '../queues.ts';
import { scheduled } from '../scheduled.ts';
import type { Platform } from './platform.ts';
import { declaredOne, MEMORY, secretsOf, type UsersFunctionProps } from './users-function.ts';

/** The settings of a user's reconciler. */
export interface ReconcilerProps extends UsersFunctionProps {
  /** The number of concurrent batches. Default 5. */
  readonly concurrency?: number;
  /** Whether a deployment that changes the author's code reconciles all objects. A number is the rate per second. Default 20. */
  readonly reconcileOnDeploy?: boolean | number;
}

const MINUTE = 60_000;
const CONCURRENCY = 5;
/** Default number of objects that a deployment reconciles per second. */
const RATE = 20;
const TIMEOUT = Duration.minutes(1);
/** The maximum time-out of a call in seconds. */
const LONGEST = 440;
/** Time in seconds of an invocation in which threads start and end, and cleanup runs after the work. */
const RESERVE = 20;

/** The time-out of a call. Throws ContextError if it leaves no time for a second call. */
function callOf(name: string, call = TIMEOUT): Duration {
  if (call.toSeconds() <= LONGEST) return call;
  throw new ContextError(`timeout of ${name}: a call of a reconciler may last ${LONGEST} seconds at most`);
}

/**
 * The time-out of an invocation. If a call hangs, its thread ends after the call's time-out. Then the rest of the batch runs, and the call
 * that hung runs once more by itself.
 */
const invocationOf = (call: Duration): Duration => Duration.seconds(2 * call.toSeconds() + RESERVE);

/** Number of objects per second that a deployment with new code reconciles. 0 if it reconciles none. */
export const deployRateOf = ({ reconcileOnDeploy = true }: Pick<ReconcilerProps, 'reconcileOnDeploy'>): number =>
  typeof reconcileOnDeploy === 'number' ? reconcileOnDeploy : reconcileOnDeploy ? RATE : 0;

/**
 * A user's reconciler as a function, triggered by the kinds that its file declares, through its own FIFO queue. It shares the queues for
 * delayed messages and dead letters with the built-in reconcilers. It acts as the service account of the same name in the namespace
 * davit-functions. The declaration determines the account's role.
 */
export class Reconciler extends Construct {
  readonly function: PlatformFunction;
  readonly queue: Queue;

  constructor(platform: Platform, id: string, props: ReconcilerProps) {
    super(platform, id);
    const { context, users, api, queues, schedules, doorbell, reconcilers } = platform;
    if (context.vpcEndpoint !== undefined)
      throw new ContextError('context vpcEndpoint: reconcilers of users are in no VPC, and would not reach the API');
    const { code, declared } = usersCode(props.entry, context);
    const declaration = declaredOne(declared.reconcilers, props);
    const { name } = declaration;
    const call = callOf(name, props.timeout);
    const timeout = invocationOf(call);
    const secrets = secretsOf(this, props.secrets);
    const queueName = `${users.nameOf(name)}.fifo`;
    this.queue = new Queue(this, 'Requests', {
      ...COMMON,
      ...IN_ORDER,
      queueName,
      visibilityTimeout: visibilityOf(timeout),
      deadLetterQueue: { queue: queues.deadRequests, maxReceiveCount: RECEIVES },
    });
    this.function = new PlatformFunction(this, 'Function', {
      context,
      bundle: code,
      handler: 'index.reconciling',
      name: users.nameOf(name),
      roleName: users.roleNameOf(name),
      description: `Davit: the reconciler ${name}`,
      timeout,
      memory: props.memory ?? MEMORY,
      environment: {
        ...props.environment,
        DAVIT_FUNCTION: name,
        DAVIT_TIMEOUT: String(call.toMilliseconds()),
        DAVIT_RECONCILE_RATE: String(deployRateOf(props)),
        DAVIT_CLUSTER_ID: context.clusterId,
        DAVIT_ENDPOINT: api.endpoint,
        DAVIT_QUEUE_URL: this.queue.queueUrl,
        ...reconcilers.waiting.environment,
        ...secrets.environment,
      },
      access: [
        allow('Send', ['sqs:SendMessage'], this.queue.queueArn, queues.later.queueArn, queues.dead.queueArn),
        allow('Receive', RECEIVE, this.queue.queueArn),
        ...reconcilers.waiting.access,
        ...secrets.access,
        ...(props.access ?? []),
      ],
    });
    this.#receive(props.concurrency ?? CONCURRENCY);
    users.addReconciler(declaration, queueName);
    // The stream sends changes, and the built-in reconcilers forward delayed messages.
    for (const { ownRole } of [doorbell, reconcilers.function])
      users.allow(ownRole, 'sqs:SendMessage', this.queue.queueArn);
    this.#resync(declaration, schedules);
    this.#reconcileOnDeploy(props);
    this.#replay(name);
    platform.declare(this.function);
  }

  #replay(name: string): void {
    new CfnOutput(this, 'Replay', {
      description: `have ${name} look at an object once more: put NAMESPACE/NAME behind`,
      value: `${runInstalled('davit')} replay ${name} --queue-url ${this.queue.queueUrl}`,
    });
  }

  #receive(maxConcurrency: number): void {
    new EventSourceMapping(this, 'Requested', {
      target: this.function,
      eventSourceArn: this.queue.queueArn,
      batchSize: 10,
      maxConcurrency,
      reportBatchItemFailures: true,
    });
  }

  /** Invokes the function with CloudFormation's event once it has new code, if the author's code changed. */
  #reconcileOnDeploy(props: ReconcilerProps): void {
    if (deployRateOf(props) === 0) return;
    new CustomResource(this, 'Deployed', {
      serviceToken: this.function.functionArn,
      resourceType: 'Custom::DavitReconciler',
      properties: { Code: authorsDigest(resolve(props.entry)) },
    });
  }

  #resync({ name, resyncPeriod }: Declaration, group: Platform['schedules']): void {
    if (resyncPeriod === undefined) return;
    scheduled(this, 'Resync', {
      target: this.function,
      group,
      every: Duration.minutes(Math.ceil(resyncPeriod / MINUTE)),
      description: `Davit: has ${name} look at every object, as it declares`,
    });
  }
}
