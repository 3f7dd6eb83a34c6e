import type { Clock } from '#lib/machinery/clock.ts';
import { keyOf } from '#lib/machinery/namespaced-name.ts';
import { within } from '#lib/machinery/wait/within.ts';
import { type Next, nextOf, type Outcome, type Persistence } from './attempt.ts';
import { decodeMessage, type ReconcileMessage, requestKey } from './delivery.ts';
import { forEachAtOnce } from './for-each.ts';
import type { KnownVersions } from './known-versions.ts';
import type { Notes } from './notes.ts';
import { type Attempt, type Observe, unobserved } from './observe.ts';
import type { Result } from './reconciler.ts';
import { Interrupted, TimedOut } from './thread-end.ts';

/** A message that a queue delivered. `id` identifies the delivery. */
export interface DeliveryResult {
  readonly id: string;
  readonly body: string;
}

/** The queues for outgoing messages. A method throws if the message may not have been stored. */
export interface Queues {
  /** Sends a message, which is delivered after the waiting messages for the same object. */
  send(message: ReconcileMessage): Promise<void>;
  /** Sends a message after a delay in ms, from a few ms to days. */
  later(message: ReconcileMessage, milliseconds: number): Promise<void>;
  /** Stores a message that will not be retried. `body` is a message, or a text that is not a valid message. */
  deadLetter(body: string, reason: string): Promise<void>;
}

/** Performs the work for messages to one reconciler. */
export interface Worker {
  readonly maxConcurrent: number;
  /** Throws an error if the message should be retried. */
  work(message: ReconcileMessage, signal: AbortSignal, notes?: Notes): Promise<Result>;
}

/** The ports for processing a batch. */
export interface BatchPorts extends Persistence {
  readonly clock: Clock;
  readonly queues: Queues;
  readonly known: KnownVersions;
  /** The deadline of the work, in the clock's monotonic time. */
  readonly deadline: number;
  /** The time in ms after the deadline for which aborted work may continue. Default 0. */
  readonly grace?: number;
  /** Returns the worker for a reconciler. Undefined if no reconciler of this name runs here. */
  workerOf(reconciler: string): Worker | undefined;
  nonce(): string;
  onError(message: ReconcileMessage, error: unknown): void;
  /** Observes every attempt. */
  readonly observe?: Observe;
}

/** The maximum delay in ms that one invocation waits itself. */
const SHORT = 1000;

/** The deliveries for one object, which are processed together. */
interface Piece {
  readonly ids: string[];
  message: ReconcileMessage;
}

/**
 * Processes a batch, once for each object and with objects in parallel. Resolves with the deliveries that the queue must redeliver. These
 * are deliveries that timed out, because the queue counts them, and deliveries whose follow-up could not be stored. All others are done,
 * delayed with `later` or in the queue, or dead-lettered.
 */
export async function workOnBatch(batch: readonly DeliveryResult[], ports: BatchPorts): Promise<readonly string[]> {
  const returned: string[] = [];
  const pieces = await coalesced(batch, ports, returned);
  await Promise.all(
    Array.from(byReconciler(pieces), ([name, all]) =>
      forEachAtOnce(ports.workerOf(name)?.maxConcurrent ?? 1, all, async (piece) => {
        await settle(piece, ports).catch((error: unknown) => {
          ports.onError(piece.message, error);
          returned.push(...piece.ids);
        });
      }),
    ),
  );
  return returned;
}

async function coalesced(
  batch: readonly DeliveryResult[],
  ports: BatchPorts,
  returned: string[],
): Promise<Iterable<Piece>> {
  const pieces = new Map<string, Piece>();
  for (const { id, body } of batch) {
    const message = await decoded(body, ports).catch(() => void returned.push(id));
    if (message === undefined || ports.known.has(message)) continue;
    const key = requestKey(message);
    const piece = pieces.get(key);
    if (piece === undefined) pieces.set(key, { ids: [id], message });
    else {
      piece.ids.push(id);
      piece.message = newer(piece.message, message);
    }
  }
  return pieces.values();
}

/**
 * The message with the newer version. A batch may contain messages from several logs, whose versions are not comparable. Either message
 * then works.
 */
function newer(one: ReconcileMessage, other: ReconcileMessage): ReconcileMessage {
  const message = one.sequence === other.sequence && one.version > other.version ? one : other;
  return { ...message, attempt: Math.max(one.attempt, other.attempt) };
}

async function decoded(body: string, { queues }: BatchPorts): Promise<ReconcileMessage | undefined> {
  try {
    return decodeMessage(body);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    await queues.deadLetter(body, error.message);
    return undefined;
  }
}

function byReconciler(pieces: Iterable<Piece>): Map<string, Piece[]> {
  const all = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const { reconciler } = piece.message;
    all.set(reconciler, [...(all.get(reconciler) ?? []), piece]);
  }
  return all;
}

async function settle({ message }: Piece, ports: BatchPorts): Promise<void> {
  const { queues, nonce, known, clock } = ports;
  const next = await attempt(message, ports);
  if (next === undefined) return queues.send({ ...message, later: nonce() });
  if (next.action === 'stop') {
    if (next.last) await queues.deadLetter(JSON.stringify(message), next.reason);
  } else if (next.action === 'again') {
    const asked = clock.now();
    await queues.later({ ...message, attempt: next.attempt, later: nonce(), asked }, next.after);
    if (next.attempt === 1) known.awaits(message, asked);
  }
  known.add(message);
}

/**
 * Retries until the work is done or the next delay is too long for one invocation. Undefined if the work was interrupted, which does not
 * count as a failure. Rejects with TimedOut.
 */
async function attempt(message: ReconcileMessage, ports: BatchPorts): Promise<Next | undefined> {
  const { clock, deadline } = ports;
  for (let number = message.attempt; ; ) {
    const outcome = await outcomeOf({ ...message, attempt: number }, ports);
    if ('error' in outcome && outcome.error instanceof Interrupted) return undefined;
    if ('error' in outcome && outcome.error instanceof TimedOut) throw outcome.error;
    const next = nextOf(outcome, number, ports);
    if (next.action !== 'again' || next.after > SHORT || clock.monotonic() + next.after >= deadline) return next;
    await clock.sleep(next.after);
    number = next.attempt;
  }
}

async function outcomeOf(message: ReconcileMessage, ports: BatchPorts): Promise<Outcome> {
  const worker = ports.workerOf(message.reconciler);
  if (worker === undefined) return { error: new TypeError(`no reconciler ${message.reconciler} is here`) };
  try {
    const { observe = unobserved } = ports;
    const run = (notes?: Notes) => inTime((signal) => worker.work(message, signal, notes), ports);
    return { result: await observe(attemptOf(message), run) };
  } catch (error) {
    if (!(error instanceof Interrupted || error instanceof TimedOut)) ports.onError(message, error);
    return { error };
  }
}

function attemptOf({ reconciler, namespace, name, attempt: number, sequence, version }: ReconcileMessage): Attempt {
  const change = sequence === '' ? {} : { change: `${sequence}@${version}` };
  return { reconciler, key: keyOf({ namespace, name }), attempt: number, ...change };
}

/** Abandons work that has not ended by the deadline plus the grace period, so that a stuck worker does not block the whole batch. */
function inTime<T>(work: (signal: AbortSignal) => Promise<T>, { clock, deadline, grace = 0 }: BatchPorts): Promise<T> {
  const error = (): TypeError => new TypeError('the reconciler did not end in time');
  return within(Math.max(0, deadline - clock.monotonic()), work, { clock, grace, error });
}
