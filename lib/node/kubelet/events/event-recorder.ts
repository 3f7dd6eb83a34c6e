import { randomUUID } from 'node:crypto';
import type { Event } from '#lib/api/types/core.v1.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { generateEventName } from '#lib/client/event-name.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { newEvent } from '#lib/client/record/new-event.ts';
import { writeEvent } from '#lib/client/record/write-event.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import type { NodeEventRecorder } from './recorder.ts';

const COMPONENT = 'kubelet';
/** Maximum number of queued events. Later ones are dropped. */
const QUEUE = 1000;
/** Maximum number of attempts for an event, and the delay between them in milliseconds. */
const TRIES = 12;
const PAUSE = 10_000;

/** The ports of a recorder. */
export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The node's name. */
  readonly host: string;
  /** Returns a random number in [0, 1). */
  random(): number;
  /** Called when an event could not be written. */
  onFault(error: unknown): void;
}

/** Writes core/v1 events on behalf of the kubelet, one at a time. `event` only queues them (upstream: record.EventBroadcaster). */
export class EventRecorder implements NodeEventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #client: Clientset;
  readonly #correlator: EventCorrelator;
  readonly #queue: Event[] = [];
  #names = 0;
  #wake: (() => void) | undefined;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#client = clientset(options.client);
    this.#correlator = new EventCorrelator(options.clock);
  }

  event(...told: Parameters<NodeEventRecorder['event']>): void {
    const [about, type, reason, message, fieldPath] = told;
    if (this.#queue.length >= QUEUE) return;
    const { name = '', namespace = '', uid, resourceVersion } = about.metadata;
    const involvedObject = {
      kind: about.kind ?? 'Pod',
      ...(namespace === '' ? {} : { namespace }),
      name,
      ...defined({ uid }),
      apiVersion: about.apiVersion ?? 'v1',
      ...defined({ resourceVersion, fieldPath }),
    };
    const source = { component: COMPONENT, host: this.#options.host };
    const occurrence = { name: this.#nextName(name), time: timeOf(this.#options.clock.now()) };
    this.#queue.push(newEvent(source, involvedObject, { type, reason, message }, occurrence));
    this.#wake?.();
  }

  /** Writes events until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    using _listener = onAbort(signal, () => this.#wake?.());
    while (!signal.aborted) {
      const told = this.#queue.shift();
      if (told === undefined) await this.#wait();
      else await this.#record(told, signal);
    }
  }

  /** Waits for an event or the abort signal. */
  #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  async #record(told: Event, signal: AbortSignal): Promise<void> {
    const { clock, random, onFault } = this.#options;
    const name = told.involvedObject.name ?? '';
    const correlated = this.#correlator.correlate(told, () => this.#nextName(name));
    if (correlated === undefined) return;
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        return this.#correlator.written(correlated.key, await writeEvent(this.#client, correlated));
      } catch (error) {
        // The API would also reject a retry.
        const isRefused = error instanceof StatusError && error.code < 500 && error.code !== 429;
        const isKnown = isRefused && error.reason === 'AlreadyExists';
        if (!isKnown && (isRefused || attempt === TRIES)) onFault(error);
        if (isRefused || attempt === TRIES) return;
        await clock.sleep(attempt === 1 ? PAUSE * random() : PAUSE, signal);
      }
    }
  }

  /** Upstream's format: the name of the object and the time in nanoseconds. A counter distinguishes events of the same millisecond. */
  #nextName(about: string): string {
    this.#names = (this.#names + 1) % 1_000_000;
    const nanoseconds = BigInt(Math.floor(this.#options.clock.now())) * 1_000_000n + BigInt(this.#names);
    return generateEventName(about, nanoseconds.toString(16), randomUUID);
  }
}
