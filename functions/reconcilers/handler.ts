import { existsSync, readFileSync } from 'node:fs';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { hider } from '#adapters/aws/sqs/visibility.ts';
import { frozenClock, systemClock } from '#adapters/clock.ts';
import { amazonRoots } from '#adapters/process/amazon-roots.ts';
import { logLine } from '#adapters/process/log-line.ts';
import { outliveErrors } from '#adapters/process/unhandled-errors.ts';
import { carryingInvocation, duringWork } from '#adapters/process/work.ts';
import { configOf as apiserverConfig } from '#functions/apiserver/config.ts';
import { openPlatform, reportFault, reportUnhandled } from '#functions/apiserver/platform.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { KnownVersions } from '#lib/client/controller/known-versions.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { ownProxy } from '#lib/controllers/bootstrap/own-proxy.ts';
import { newFrontProxy } from '#lib/controllers/certificates/front-proxy.ts';
import { keptFrontProxy } from '#lib/controllers/certificates/kept-front-proxy.ts';
import { keptSigner } from '#lib/controllers/certificates/kept-signer.ts';
import { failureEvents } from '#lib/controllers/failure-events.ts';
import { referenceOfKey } from '#lib/controllers/objects-of-keys.ts';
import { defined } from '#lib/machinery/defined.ts';
import { newUid } from '#lib/machinery/random.ts';
import type { InvocationSink } from '#lib/sdk/invocation/invocation.ts';
import { invocationLines } from '#lib/sdk/invocation/line.ts';
import { invocationRecorder } from '#lib/sdk/invocation/recorder.ts';
import { configOf } from './config.ts';
import { queuesOf } from './queues.ts';
import { answerOf, deliveriesOf, invocationPorts, whileHidden } from './sqs-batch.ts';
import { usersFunctions } from './users-functions.ts';
import { builtInReconcilers, ControllerTokens, switchedOff } from './wiring.ts';
import { type BuiltIns, forward, initialMessages, work } from './work.ts';

const config = configOf(process.env);
const platform = apiserverConfig(process.env);
const queues = queuesOf(config, systemClock);
const hide = hider(new SQSClient({}));
const known = new KnownVersions();
/** Time in ms at the end of an invocation that is reserved for cleanup after the work. */
const RESERVE = 5000;

interface Started extends BuiltIns {
  readonly failures: InvocationSink;
}

let started: Promise<Started> | undefined;

/** Runs the built-in reconcilers. Handles messages of the FIFO queue and the delay queue, and the events of a schedule. */
export async function handler(event: SQSEvent | ScheduledEvent, context: Context): Promise<SQSBatchResponse> {
  outliveErrors(reportUnhandled);
  const builtIns = await (started ??= start());
  const ports = {
    ...invocationPorts(context, RESERVE),
    queues,
    known,
    onError: ({ reconciler, name }: { reconciler: string; name: string }, error: unknown) =>
      reportFault(`${reconciler} ${name}`, error),
    observe: recorder(context.awsRequestId, builtIns.failures),
  };
  if (!('Records' in event)) {
    for (const message of initialMessages(builtIns, newUid)) await queues.send(message);
    return answerOf([]);
  }
  const batch = deliveriesOf(event);
  const hasWaited = event.Records[0]?.eventSourceARN.split(':').at(-1) === config.laterQueueUrl.split('/').at(-1);
  const queueUrl = hasWaited ? config.laterQueueUrl : config.queueUrl;
  const onFault = (error: unknown): void => reportFault(`visibility ${context.awsRequestId}`, error);
  return whileHidden(event, { queueUrl, context, hide, onFault }, () =>
    hasWaited ? forward(batch, ports) : work(batch, builtIns, ports),
  );
}

const lines = invocationLines(logLine);

/** Logs each attempt on one line, and reports a persistent failure on its object. */
function recorder(requestId: string, failures: InvocationSink) {
  const log = { info: () => undefined, error: () => undefined }; // built-in reconcilers log only their faults
  const sinks = [lines, failures];
  const objectOf = referenceOfKey;
  const within = <T>(invocation: string, run: () => Promise<T>): Promise<T> =>
    duringWork({ requestId, invocation }, run);
  const ports = { clock: systemClock, log, sinks, nonce: newUid, objectOf, requestId, keepsLogs: false, within };
  return invocationRecorder(ports);
}

/** The CA of the control plane, and the CA whose client certificates the front door verifies. */
function clientAuthorities(own: string): string {
  const file = config.clientAuthority;
  return existsSync(file) ? `${own.trim()}\n${readFileSync(file, 'utf8')}` : own;
}

async function start(): Promise<Started> {
  try {
    const { hostname: host, port } = new URL(config.endpoint);
    const address = { host, port: port === '' ? 443 : Number(port) };
    const tokens = new ControllerTokens();
    const {
      server: own,
      store,
      index,
      secret,
    } = await openPlatform(platform, `${address.host}:${address.port}`, new Map(tokens.users()));
    const { availability } = own;
    const server = {
      ...own,
      handle: carryingInvocation(own.handle),
      availability:
        config.asksAggregated || availability === undefined ? availability : { ...availability, check: undefined },
    };
    const now = new Date(systemClock.now());
    const [signer, proxy] = [await keptSigner(secret, now), await keptFrontProxy(secret, () => newFrontProxy(now))];
    const events = new EventCorrelator(frozenClock);
    const options = {
      address,
      authority: amazonRoots(),
      trust: { clientAuthority: clientAuthorities(signer.certificate), proxies: ownProxy(proxy) },
      signer,
      clock: frozenClock,
      events,
      index,
      controllers: config.controllers,
      ...defined({ nodeRanges: config.nodeRanges, nodeMonitorGracePeriod: config.nodeMonitorGracePeriod }),
    };
    const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'davit' });
    const users = usersFunctions(config.functions, client);
    const make = () => [...builtInReconcilers(server, tokens, options), ...users];
    const failures = failureEvents({ client, events });
    return { make, lasting: make(), off: switchedOff(server, tokens, options), store, index, client, failures };
  } catch (error) {
    started = undefined;
    throw error;
  }
}
