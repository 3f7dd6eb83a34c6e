import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '#adapters/clock.ts';
import { captureConsole, withConsole } from '#adapters/process/captured-console.ts';
import type { Call, FromWorker, WorkerInput } from '#adapters/server/function-thread/protocol.ts';
import { type StreamMessage, type WorkerCall, WorkerCalls } from '#adapters/server/function-thread/worker-calls.ts';
import type { Result } from '#lib/client/controller/reconciler.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import { connectAggregatedApi } from '#lib/sdk/extension-apiserver/connect.ts';
import { exportedApis } from '#lib/sdk/extension-apiserver/exported-apis.ts';
import { serveAggregatedApi } from '#lib/sdk/extension-apiserver/serve.ts';
import type { SessionLink, SessionMessage } from '#lib/sdk/extension-apiserver/session.ts';
import { exportedFunctions } from '#lib/sdk/webhook-sdk/exported-functions.ts';
import { answerWebhook } from '#lib/sdk/webhook-sdk/webhook.ts';
import { useOwnModules } from './own-modules.ts';

useOwnModules();

const port = parentPort as MessagePort; // always set in a worker
const calls = new WorkerCalls({ port, clock: systemClock, withConsole });
captureConsole(calls.logger());

const taken = new Map<number, () => void>();
const received = new Map<number, (message: SessionMessage | undefined) => void>();

/** Sends a message, and waits until it is acknowledged or the call is cancelled. */
async function acknowledged(message: Extract<FromWorker, { type: 'chunk' | 'send' }>, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>();
  taken.set(message.id, resolve);
  using _listener = onAbort(signal, resolve);
  calls.send(message);
  await promise;
}

/** Serves a session whose WebSocket is in the main thread. */
async function serveSession(call: Extract<Call, { what: 'connect' }>, { id, log, signal }: WorkerCall) {
  const api = apis.get(call.name);
  if (api === undefined) throw new TypeError(`there is no aggregated API ${call.name}`);
  let isOpen = false;
  const link: SessionLink = {
    protocol: call.protocol,
    signal,
    open() {
      if (!isOpen) calls.send({ type: 'open', id });
      isOpen = true;
    },
    receive() {
      const { promise, resolve } = Promise.withResolvers<SessionMessage | undefined>();
      received.set(id, resolve);
      calls.send({ type: 'receive', id });
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

/** Sends the response of an API in chunks, each one after the previous one was consumed. */
async function answerApi(call: Extract<Call, { what: 'api' }>, { id, log, signal }: WorkerCall) {
  const api = apis.get(call.name);
  if (api === undefined) throw new TypeError(`there is no aggregated API ${call.name}`);
  const { method, query, headers, body } = call.request;
  const request = { method, query: new URLSearchParams(query), headers, body: async () => body, signal: () => signal };
  const answered = await serveAggregatedApi(api, { ...call, request, clock: systemClock, log });
  calls.send({ type: 'head', id, status: answered.status, headers: answered.headers });
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

async function answer(call: Call, context: WorkerCall): Promise<Result | Uint8Array> {
  if (call.what === 'api') return answerApi(call, context);
  if (call.what === 'connect') return serveSession(call, context);
  if (call.what === 'reconcile') return calls.reconcile(reconcilers.get(call.name), call, context);
  const webhook = webhooks.get(call.name);
  if (webhook === undefined) throw new TypeError(`there is no webhook ${call.name}`);
  return answerWebhook(webhook, call.body, context);
}

/** Handles three messages: a response chunk was consumed, a session message was consumed, or the client sent a message. */
function more(message: StreamMessage): void {
  if (message.type === 'more') taken.get(message.id)?.();
  else received.get(message.id)?.(message.message);
}

calls.serve(answer, more);
const module = (await import((workerData as WorkerInput).file)) as object;
const { reconcilers, webhooks } = exportedFunctions(module);
const apis = exportedApis(module, [...reconcilers.keys(), ...webhooks.keys()]);
calls.send({
  type: 'loaded',
  reconcilers: [...reconcilers.values()].map(({ declaration }) => declaration),
  webhooks: [...webhooks.values()].map(({ declaration }) => declaration),
  apis: [...apis.values()].map(({ declaration }) => declaration),
});
