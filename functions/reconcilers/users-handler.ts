import type { Worker } from 'node:worker_threads';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { type Deployment, deploymentOf } from '#adapters/aws/cloudformation/deployment.ts';
import { hider } from '#adapters/aws/sqs/visibility.ts';
import { systemClock } from '#adapters/clock.ts';
import { logLine } from '#adapters/process/log-line.ts';
import { carryingInvocation, duringWork } from '#adapters/process/work.ts';
import { ApiConnection } from '#adapters/server/http/api-connection.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { KnownVersions } from '#lib/client/controller/known-versions.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import { runDefined } from '#lib/client/controller/run-defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { newUid } from '#lib/machinery/random.ts';
import { invocationLines } from '#lib/sdk/invocation/line.ts';
import { invocationRecorder } from '#lib/sdk/invocation/recorder.ts';
import { roleTokens } from '#lib/server/authentication/aws/role-tokens.ts';
import { QUEUE_ENVIRONMENT, queueConfigOf, readEnvironment } from './queue-config.ts';
import { queuesOf } from './queues.ts';
import { answerOf, deliveriesOf, invocationPorts, whileHidden } from './sqs-batch.ts';
import { usersThreads } from './users-threads.ts';
import { afterDeployment, everyObject, workOfUsers } from './users-work.ts';

const environment = QUEUE_ENVIRONMENT.extend({
  DAVIT_CLUSTER_ID: z.string().min(1),
  AWS_REGION: z.string().min(1),
  /** The URL of the API for this function, if it differs from the clients' URL. */
  DAVIT_API_URL: z.url({ protocol: /^https$/ }).optional(),
  /** The name of the reconciler. The next variable is the time-out of its calls in ms. */
  DAVIT_FUNCTION: z.string().min(1),
  DAVIT_TIMEOUT: z.coerce.number().int().positive().default(60_000),
  /** Number of objects per second that a deployment with new code reconciles. */
  DAVIT_RECONCILE_RATE: z.coerce.number().int().min(0).default(0),
  /** Memory of the function in MiB. */
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: z.coerce.number().int().positive().default(256),
});

/** Time in ms at the end of an invocation for aborted calls to end and for cleanup. */
const GRACE = 3000;
const RESERVE = 3000 + GRACE;
/** The part of the function's memory in MiB that its reconciler thread does not get. */
const OWN_MEMORY = 96;

/** The threads of the author's code. */
export interface ReconcilerThreadPorts {
  /** Starts a worker that runs `serveReconcilers`. `memory` is its heap limit in MiB. */
  start(memory: number): Worker;
  /** Ends the process because the author's file cannot be loaded. */
  notLoaded(error: unknown): never;
}

/**
 * The function of one user's reconciler. Handles messages of its FIFO queue, and the events of a schedule. It acts as its own service
 * account. The author's code runs in threads. A thread that hangs is terminated, and the rest of the batch is processed.
 */
export async function reconcilerHandler(log: Logger, { start, notLoaded }: ReconcilerThreadPorts) {
  const data = readEnvironment(environment, process.env);
  const config = queueConfigOf(data);
  const queues = queuesOf(config, systemClock);
  const hide = hider(new SQSClient({}));
  const { DAVIT_CLUSTER_ID: clusterId, AWS_REGION: region } = data;
  const { credentials } = new SQSClient({ region }).config;
  const token = roleTokens({ clock: systemClock, region, clusterId, credentials: () => credentials() });
  const api = new ApiConnection({ url: data.DAVIT_API_URL ?? config.endpoint, caBundle: '', credentials: { token } });
  const handle = carryingInvocation(api.handle.bind(api));
  const { DAVIT_FUNCTION: name, DAVIT_TIMEOUT: timeout } = data;
  const memory = Math.max(OWN_MEMORY, data.AWS_LAMBDA_FUNCTION_MEMORY_SIZE - OWN_MEMORY);
  const { reconciler: defined } = await usersThreads({
    name,
    limits: { timeout, memory },
    log,
    start: () => start(memory),
    handle,
  }).catch(notLoaded);
  const client = apiClient({ handle, userAgent: name });
  const reconciler = runDefined(defined, { client, clock: systemClock, log });
  const queue = config.queueUrl.split('/').at(-1) ?? '';
  const known = new KnownVersions();
  const { apiVersion, kind } = defined.declaration.for;
  const objectOf = (_name: string, key: string) => ({ apiVersion, kind, ...splitKey(key) });
  const sinks = [invocationLines(logLine)];
  const recorder = (requestId: string) =>
    invocationRecorder({
      clock: systemClock,
      log,
      sinks,
      nonce: newUid,
      objectOf,
      requestId,
      keepsLogs: false,
      within: (invocation, run) => duringWork({ requestId, invocation }, run),
    });

  const everyOne = { queue, send: queues.send, later: queues.later, nonce: newUid };
  return async (event: SQSEvent | ScheduledEvent | Deployment, context: Context): Promise<SQSBatchResponse> => {
    if (!('Records' in event)) {
      const deployed = deploymentOf(event);
      if (deployed === undefined) await everyObject(reconciler, everyOne);
      else await afterDeployment(deployed, { ...everyOne, reconciler, perSecond: data.DAVIT_RECONCILE_RATE });
      return answerOf([]);
    }
    const onFault = (error: unknown): void => log.error(messageOfError(error));
    return whileHidden(event, { queueUrl: config.queueUrl, context, hide, onFault }, () =>
      workOfUsers(deliveriesOf(event), reconciler, {
        ...invocationPorts(context, RESERVE),
        grace: GRACE,
        queues,
        known,
        onError: (message, error) => log.error(messageOfError(error), { name: message.name }),
        observe: recorder(context.awsRequestId),
      }),
    );
  };
}
