import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '#adapters/clock.ts';
import { captureConsole, withConsole } from '#adapters/process/captured-console.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { type Logger, withFields } from '#lib/client/controller/logger.ts';
import { placeOf } from '#lib/client/controller/place-of.ts';
import type { Result } from '#lib/client/controller/reconciler.ts';
import { eventRecorder } from '#lib/client/events/event-recorder.ts';
import { EventSeries } from '#lib/client/events/event-series.ts';
import { restMapper } from '#lib/client/rest-mapper.ts';
import { typedClient } from '#lib/client/typed-client.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { connectAggregatedApi } from '#lib/sdk/extension-apiserver/connect.ts';
import { exportedApis } from '#lib/sdk/extension-apiserver/exported-apis.ts';
import { serveAggregatedApi } from '#lib/sdk/extension-apiserver/serve.ts';
import type { SessionLink, SessionMessage } from '#lib/sdk/extension-apiserver/session.ts';
import { exportedFunctions } from '#lib/sdk/webhook-sdk/exported-functions.ts';
import { answerWebhook } from '#lib/sdk/webhook-sdk/webhook.ts';
import { useOwnModules } from './own-modules.ts';
import type { Call, FromWorker, ToWorker, WireError, WireResponse, WorkerInput } from './protocol.ts';

useOwnModules();

/** Events of this thread. */
const series = new EventSeries(systemClock);
const port = parentPort as MessagePort; // always there in a worker
const send = (message: FromWorker): void => port.postMessage(message);
const logger = (of: { readonly call?: number }): Logger => ({
  info: (message, fields = {}) => send({ type: 'log', level: 'info', message, fields, ...of }),
  error: (message, fields = {}) => send({ type: 'log', level: 'error', message, fields, ...of }),
});
captureConsole(logger({}));

const running = new Map<number, AbortController>();
const asked = new Map<number, (response: WireResponse) => void>();
const clients = new Map<string, Client>();
let requests = 0;

const clientOf = (name: string): Client => {
  const known =
    clients.get(name) ?? apiClient({ userAgent: name, token: '', handle: (request) => overPort(name, request) });
  clients.set(name, known);
  return known;
};

async function overPort(
  as: string,
  request: Parameters<Parameters<typeof apiClient>[0]['handle']>[0],
): Promise<WireResponse> {
  const { method, path, query, headers } = request;
  const id = requests++;
  const { promise, resolve } = Promise.withResolvers<WireResponse>();
  asked.set(id, resolve);
  send({
    type: 'request',
    id,
    as,
    request: { method, path, query: query.toString(), headers, body: await request.body() },
  });
  return promise;
}

const taken = new Map<number, () => void>();
const received = new Map<number, (message: SessionMessage | undefined) => void>();

/** Sends a message that is acknowledged, and waits until it is taken or nobody wants it any more. */
async function acknowledged(message: Extract<FromWorker, { type: 'chunk' | 'send' }>, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const aborted = (): void => resolve();
  taken.set(message.id, resolve);
  signal.addEventListener('abort', aborted, { once: true });
  send(message);
  await promise;
  signal.removeEventListener('abort', aborted);
}

/** Serves a session whose WebSocket is in the other thread. */
async function serveSession(id: number, call: Extract<Call, { what: 'connect' }>, log: Logger, signal: AbortSignal) {
  const api = apis.get(call.name);
  if (api === undefined) throw new TypeError(`there is no aggregated API ${call.name}`);
  let isOpen = false;
  const link: SessionLink = {
    protocol: call.protocol,
    signal,
    open() {
      if (!isOpen) send({ type: 'open', id });
      isOpen = true;
    },
    receive() {
      const { promise, resolve } = Promise.withResolvers<SessionMessage | undefined>();
      received.set(id, resolve);
      send({ type: 'receive', id });
      return promise;
    },
    async send(message) {
      if (!signal.aborted) await acknowledged({ type: 'send', id, message }, signal);
      if (signal.aborted) throw new Error('the WebSocket is closed');
    },
  };
  try {
    await connectAggregatedApi(api, { ...call, query: new URLSearchParams(call.query), log }, link);
  } finally {
    taken.delete(id);
    received.delete(id);
  }
  return new Uint8Array();
}

/** Sends the answer of an API in chunks, each after the last was taken. */
async function answerApi(id: number, call: Extract<Call, { what: 'api' }>, log: Logger, signal: AbortSignal) {
  const api = apis.get(call.name);
  if (api === undefined) throw new TypeError(`there is no aggregated API ${call.name}`);
  const { method, query, headers, body } = call.request;
  const request = { method, query: new URLSearchParams(query), headers, body: async () => body, signal };
  const answered = await serveAggregatedApi(api, { ...call, request, clock: systemClock, log });
  send({ type: 'head', id, status: answered.status, headers: answered.headers });
  const chunk = (bytes: Uint8Array): Promise<void> => acknowledged({ type: 'chunk', id, bytes }, signal);
  try {
    if (typeof answered.body === 'string') await chunk(Buffer.from(answered.body));
    else if (answered.body instanceof Uint8Array) await chunk(answered.body);
    else
      for await (const bytes of answered.body) {
        if (signal.aborted) break;
        await chunk(bytes);
      }
  } finally {
    taken.delete(id);
  }
  return new Uint8Array();
}

async function answer(id: number, call: Call, log: Logger, signal: AbortSignal): Promise<Result | Uint8Array> {
  if (call.what === 'api') return answerApi(id, call, log, signal);
  if (call.what === 'connect') return serveSession(id, call, log, signal);
  if (call.what === 'webhook') {
    const webhook = webhooks.get(call.name);
    if (webhook === undefined) throw new TypeError(`there is no webhook ${call.name}`);
    return answerWebhook(webhook, call.body, { log, signal });
  }
  const reconciler = reconcilers.get(call.name);
  if (reconciler === undefined) throw new TypeError(`there is no reconciler ${call.name}`);
  const { name: controller, request, object } = call;
  const client = clientOf(controller);
  const onError = (error: unknown): void => log.error('an event was not taken', { error: wire(error).message });
  return reconciler.reconcile(request, {
    client: typedClient({ client, mapper: restMapper(client), fieldManager: controller, signal }),
    object: async () => object,
    events: eventRecorder({ client, series, controller, onError }),
    log,
    clock: systemClock,
    signal,
  });
}

function wire(error: unknown): WireError {
  const message = messageOfError(error);
  const stack = error instanceof Error ? (error.stack ?? message) : message;
  const known = { message, stack };
  return error instanceof StatusError ? { ...known, status: { reason: error.reason, code: error.code } } : known;
}

port.on('message', (message: ToWorker) => {
  switch (message.type) {
    case 'response':
      asked.get(message.id)?.(message.response);
      asked.delete(message.id);
      return;
    case 'abort':
      running.get(message.id)?.abort(new Error('nobody waits for this any more'));
      return;
    case 'more':
      taken.get(message.id)?.();
      return;
    case 'message':
      received.get(message.id)?.(message.message);
      return;
    case 'call':
      void run(message.id, message.call);
      return;
    default:
      message satisfies never;
  }
});

async function run(id: number, call: Call): Promise<void> {
  const ending = new AbortController();
  running.set(id, ending);
  const own = logger({ call: id });
  const log =
    call.what === 'reconcile' ? own : withFields(own, { [call.what === 'connect' ? 'api' : call.what]: call.name });
  try {
    const result = await withConsole(log, () => answer(id, call, log, ending.signal));
    send({ type: 'result', id, result });
  } catch (error) {
    // The caller learns the error, and the log its place; of a session the log has it.
    if (call.what === 'api' || call.what === 'webhook') log.error(wire(error).message, { at: placeOf(error) ?? '' });
    send({ type: 'error', id, error: wire(error) });
  } finally {
    running.delete(id);
  }
}

const module = (await import((workerData as WorkerInput).file)) as object;
const { reconcilers, webhooks } = exportedFunctions(module);
const apis = exportedApis(module, [...reconcilers.keys(), ...webhooks.keys()]);
send({
  type: 'loaded',
  reconcilers: [...reconcilers.values()].map(({ declaration }) => declaration),
  webhooks: [...webhooks.values()].map(({ declaration }) => declaration),
  apis: [...apis.values()].map(({ declaration }) => declaration),
});
