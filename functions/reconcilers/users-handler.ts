import { SQSClient } from '@aws-sdk/client-sqs';
import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { hider } from '#adapters/aws/sqs/visibility.ts';
import { systemClock } from '#adapters/clock.ts';
import { captureConsole, withOwnConsole } from '#adapters/process/captured-console.ts';
import { logLine } from '#adapters/process/log-line.ts';
import { carryingInvocation, duringWork } from '#adapters/process/work.ts';
import { ApiConnection } from '#adapters/server/http/api-connection.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { DefinedReconciler } from '#lib/client/controller/define-reconciler.ts';
import { KnownVersions } from '#lib/client/controller/known-versions.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import { requestIn } from '#lib/client/controller/requests.ts';
import { runDefined } from '#lib/client/controller/run-defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { newUid } from '#lib/machinery/random.ts';
import { invocationLines } from '#lib/sdk/invocation/line.ts';
import { invocationRecorder } from '#lib/sdk/invocation/recorder.ts';
import { roleTokens } from '#lib/server/authentication/aws/role-tokens.ts';
import { QUEUE_ENVIRONMENT, queueConfigOf, readEnvironment } from './queue-config.ts';
import { queuesOf } from './queues.ts';
import { answerOf, deliveriesOf, invocationPorts, whileHidden } from './sqs-batch.ts';
import { everyObject, workOfUsers } from './users-work.ts';

const environment = QUEUE_ENVIRONMENT.extend({
  DAVIT_CLUSTER_ID: z.string().min(1),
  AWS_REGION: z.string().min(1),
  /** Where the API is reached from here, if elsewhere than clients reach it. */
  DAVIT_API_URL: z.url({ protocol: /^https$/ }).optional(),
});

/** Milliseconds of an invocation that are kept for what follows the work. */
const RESERVE = 3000;

/** The function of one user's reconciler: what its FIFO queue delivers, and what a schedule asks for. It acts as its own service account. */
export function reconcilerHandler(defined: DefinedReconciler, log: Logger) {
  captureConsole();
  const data = readEnvironment(environment, process.env);
  const config = queueConfigOf(data);
  const queues = queuesOf(config, systemClock);
  const hide = hider(new SQSClient({}));
  const { DAVIT_CLUSTER_ID: clusterId, AWS_REGION: region } = data;
  const { credentials } = new SQSClient({ region }).config;
  const token = roleTokens({ clock: systemClock, region, clusterId, credentials: () => credentials() });
  const api = new ApiConnection({ url: data.DAVIT_API_URL ?? config.endpoint, caBundle: '', credentials: { token } });
  const handle = carryingInvocation(api.handle.bind(api));
  const client = apiClient({ handle, userAgent: defined.declaration.name });
  const reconciler = runDefined(withOwnConsole(defined), { client, clock: systemClock, log });
  const queue = config.queueUrl.split('/').at(-1) ?? '';
  const known = new KnownVersions();
  const { apiVersion, kind } = defined.declaration.for;
  const objectOf = (_name: string, key: string) => ({ apiVersion, kind, ...requestIn(key) });
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

  return async (event: SQSEvent | ScheduledEvent, context: Context): Promise<SQSBatchResponse> => {
    if (!('Records' in event)) {
      await everyObject(reconciler, { queue, send: queues.send, nonce: newUid });
      return answerOf([]);
    }
    const onFault = (error: unknown): void => log.error(messageOfError(error));
    return whileHidden(event, { queueUrl: config.queueUrl, context, hide, onFault }, () =>
      workOfUsers(deliveriesOf(event), reconciler, {
        ...invocationPorts(context, RESERVE),
        queues,
        known,
        onError: ({ name }, error) => log.error(messageOfError(error), { name }),
        observe: recorder(context.awsRequestId),
      }),
    );
  };
}
