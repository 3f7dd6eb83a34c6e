import { AsyncLocalStorage } from 'node:async_hooks';
import type { MessagePort } from 'node:worker_threads';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { DefinedReconciler } from '#lib/client/controller/define-reconciler.ts';
import { type Logger, withFields } from '#lib/client/controller/logger.ts';
import { placeOf } from '#lib/client/controller/place-of.ts';
import type { Result } from '#lib/client/controller/reconciler.ts';
import { eventRecorder } from '#lib/client/events/event-recorder.ts';
import { EventSeries } from '#lib/client/events/event-series.ts';
import { type RestMapper, restMapper } from '#lib/client/rest-mapper.ts';
import { typedClient } from '#lib/client/typed-client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { Call, FromWorker, ToWorker, WireError, WireResponse } from './protocol.ts';

/** The ports of a worker that serves calls. */
export interface WorkerPorts {
  readonly port: MessagePort;
  readonly clock: Clock;
  /** Runs a call with its console output sent to the log. */
  withConsole<T>(log: Logger, run: () => T): T;
}

/** One call, as passed to a function of this thread. */
export interface WorkerCall {
  readonly id: number;
  readonly log: Logger;
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
}

/** The messages that only sessions and streamed responses use. */
export type StreamMessage = Extract<ToWorker, { type: 'more' | 'message' }>;

/** Serves a call. The caller receives the error if it throws. */
export type AnswerCall = (call: Call, context: WorkerCall) => Promise<Result | Uint8Array>;

interface ClientOfName {
  readonly client: Client;
  readonly mapper: RestMapper;
}

/** A worker's end of its port. It receives function calls, and sends API requests and log lines. */
export class WorkerCalls {
  readonly #ports: WorkerPorts;
  /** Tracks the event series of this thread. */
  readonly #series: EventSeries;
  readonly #running = new Map<number, AbortController>();
  readonly #asked = new Map<number, (response: WireResponse) => void>();
  readonly #clients = new Map<string, ClientOfName>();
  /** The current call. */
  readonly #current = new AsyncLocalStorage<number>();
  #requests = 0;

  constructor(ports: WorkerPorts) {
    this.#ports = ports;
    this.#series = new EventSeries(ports.clock);
  }

  send(message: FromWorker): void {
    this.#ports.port.postMessage(message);
  }

  /** The log of a call. Without a call, the log of the thread. */
  logger(of: { readonly call?: number } = {}): Logger {
    return {
      info: (message, fields = {}) => this.send({ type: 'log', level: 'info', message, fields, ...of }),
      error: (message, fields = {}) => this.send({ type: 'log', level: 'error', message, fields, ...of }),
    };
  }

  /** Starts to serve calls. Earlier calls are queued. */
  serve(answer: AnswerCall, more: (message: StreamMessage) => void = () => undefined): void {
    this.#ports.port.on('message', (message: ToWorker) => {
      switch (message.type) {
        case 'response':
          this.#asked.get(message.id)?.(message.response);
          this.#asked.delete(message.id);
          return;
        case 'abort':
          this.#running.get(message.id)?.abort(new Error('nobody waits for this any more'));
          return this.send({ type: 'aborting', id: message.id });
        case 'call':
          void this.#run(message.id, message.call, answer);
          return;
        default:
          more(message);
      }
    });
  }

  /** Runs a reconciler. The main thread sends its API requests with the reconciler's identity. */
  reconcile(
    reconciler: DefinedReconciler | undefined,
    { name, request, object }: Extract<Call, { what: 'reconcile' }>,
    { log, signal }: WorkerCall,
  ): Promise<Result> {
    if (reconciler === undefined) throw new TypeError(`there is no reconciler ${name}`);
    const { clock } = this.#ports;
    const { client, mapper } = this.#clientOf(name);
    const onError = (error: unknown): void => log.error('an event was not taken', { error: messageOfError(error) });
    return reconciler.reconcile(request, {
      client: typedClient({ client, mapper, fieldManager: name, signal }),
      object: async () => object,
      events: eventRecorder({ client, series: this.#series, controller: name, onError }),
      log,
      clock,
      signal,
    });
  }

  #clientOf(name: string): ClientOfName {
    const known = this.#clients.get(name);
    if (known !== undefined) return known;
    const client = apiClient({ userAgent: name, token: '', handle: (request) => this.#overPort(name, request) });
    const made = { client, mapper: restMapper(client) };
    this.#clients.set(name, made);
    return made;
  }

  async #overPort(as: string, { method, path, query, headers, body }: ApiRequest): Promise<WireResponse> {
    const id = this.#requests++;
    const { promise, resolve } = Promise.withResolvers<WireResponse>();
    this.#asked.set(id, resolve);
    const request = { method, path, query: query.toString(), headers, body: await body() };
    const call = this.#current.getStore();
    this.send({ type: 'request', id, as, request, ...(call === undefined ? {} : { call }) });
    return promise;
  }

  async #run(id: number, call: Call, answer: AnswerCall): Promise<void> {
    const ending = new AbortController();
    this.#running.set(id, ending);
    const log = logOf(call, this.logger({ call: id }));
    const work = (): Promise<Result | Uint8Array> => answer(call, { id, log, signal: ending.signal });
    try {
      const result = await this.#current.run(id, () => this.#ports.withConsole(log, async () => work()));
      this.send({ type: 'result', id, result });
    } catch (error) {
      // The caller receives the error, and the log receives its location in the code. For a session the caller logs both.
      if (call.what === 'api' || call.what === 'webhook')
        log.error(messageOfError(error), { at: placeOf(error) ?? '' });
      this.send({ type: 'error', id, error: wire(error) });
    } finally {
      this.#running.delete(id);
    }
  }
}

function logOf(call: Call, log: Logger): Logger {
  if (call.what === 'reconcile') return log;
  return withFields(log, { [call.what === 'connect' ? 'api' : call.what]: call.name });
}

function wire(error: unknown): WireError {
  const message = messageOfError(error);
  const stack = error instanceof Error ? (error.stack ?? message) : message;
  const known = { message, stack };
  return error instanceof StatusError ? { ...known, status: { reason: error.reason, code: error.code } } : known;
}
