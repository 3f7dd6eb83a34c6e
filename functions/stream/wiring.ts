import { BOOTSTRAP } from '#lib/client/controller/bootstrap.ts';
import { messageOf, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import { ACCOUNTS } from '#lib/client/controller/function-names.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { newUid } from '#lib/machinery/random.ts';
import { API_REGISTRATION } from '#lib/sdk/extension-apiserver/names.ts';
import { REGISTRATION } from '#lib/sdk/webhook-sdk/names.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import { leaseSequence } from '#lib/storage/sequences.ts';
import type { DeadLetters } from '#lib/stream/dead-letters.ts';
import { type Delivered, Doorbell, type RingResult } from '#lib/stream/doorbell.ts';
import { eventConsumer, type OnDemand } from '#lib/stream/event-consumer.ts';
import type { ChangeEvent } from '#lib/stream/event-schema.ts';
import { resync } from '#lib/stream/follow.ts';
import { Notifications, type NotificationsPorts, type NotifiedNodes } from '#lib/stream/notifications.ts';
import { withNotifications } from '#lib/stream/notifying-consumer.ts';
import { type RequestRoute, requestConsumer } from '#lib/stream/request-consumer.ts';
import type { Sink } from '#lib/stream/sink.ts';
import type { Trigger } from './trigger.ts';

/** The ports of the stream's function. */
export interface StreamParts {
  readonly store: SequenceStore;
  readonly bus: Sink<ChangeEvent>;
  readonly queue: Sink<ReconcileMessage>;
  readonly deadLetters: DeadLetters;
  readonly clock: Clock;
  readonly clusterId: string;
  readonly publish: readonly OnDemand[];
  readonly reconcilers: readonly RequestRoute[];
  /** Settings for nodes with channels. Undefined if the deployment has none. Notifications then cost nothing. */
  readonly rings?: Omit<NotificationsPorts, 'clock'>;
}

/** The result of a trigger. */
export interface Outcome {
  /** The number of committed versions that are not delivered yet, for the sequence that is furthest behind. */
  readonly lag: number;
  /** The sequence that is furthest behind, if any. */
  readonly furthest?: string;
  readonly faults: readonly { readonly sequence: string; readonly error: unknown }[];
  readonly delivered: readonly (Delivered & { readonly sequence: string })[];
  /** The notified nodes. Undefined if nodes cannot be notified. */
  readonly rung?: NotifiedNodes;
}

/** Delivers committed changes. */
export interface Stream {
  /** Handles a trigger while time remains in the invocation. */
  handle(trigger: Trigger, options: { hasTime(): boolean }): Promise<Outcome>;
}

/** Leases are renewed continuously, so their log grows long before a checkpoint is worthwhile. */
const LEASES = leaseSequence('');
const LEASES_EVERY = 60_000;

/** Builds the delivery of committed changes over any store, bus and queue. */
export function buildStream(parts: StreamParts): Stream {
  const { store, bus, queue, deadLetters, clock, clusterId, publish, reconcilers } = parts;
  const rings = parts.rings && new Notifications({ ...parts.rings, clock });
  const events = eventConsumer({ bus, clusterId, publish });
  const doorbell = new Doorbell({
    store,
    clock,
    deadLetters,
    consumers: [rings === undefined ? events : withNotifications(events, rings), requestConsumer(queue, reconcilers)],
    summarize: summarizeBody,
    checkpointEvery: (sequence) => (sequence.endsWith(LEASES) ? LEASES_EVERY : 0),
  });
  return {
    async handle(trigger, options) {
      if ('resync' in trigger) return resyncAll(parts, trigger.resync);
      if ('deployed' in trigger) return afterDeployment(parts);
      const rung = 'ring' in trigger ? await doorbell.ring(trigger.ring, options) : await doorbell.ringAll(options);
      return { ...outcomeOf(rung), ...defined({ rung: await rings?.send() }) };
    },
  };
}

function outcomeOf(rung: readonly RingResult[]): Outcome {
  const lag = Math.max(0, ...rung.map((one) => one.lag));
  const furthest = lag > 0 ? rung.find((one) => one.lag === lag)?.sequence : undefined;
  const faults = rung.flatMap((one) => one.faults.map((error) => ({ sequence: one.sequence, error })));
  const delivered = rung.flatMap((one) => one.delivered.map((each) => ({ sequence: one.sequence, ...each })));
  return { lag, ...defined({ furthest }), faults, delivered };
}

/**
 * Reconcilers of the objects that exist from the start, of a control plane and its declared functions. Each has one key for all its
 * objects.
 */
const MAKERS = [BOOTSTRAP, REGISTRATION, API_REGISTRATION, ACCOUNTS];

/**
 * Triggers the reconcilers of initial objects, of declared webhooks and APIs, and of accounts. Sends users' reconcilers the objects that
 * existed before them.
 */
async function afterDeployment(parts: StreamParts): Promise<Outcome> {
  const of = { cluster: DEFAULT_CLUSTER, namespace: '', sequence: '', version: 0 };
  await parts.queue.send(MAKERS.map((maker) => ({ ...messageOf({ ...of, ...maker }), later: newUid() })));
  const users = parts.reconcilers.filter(({ queue }) => queue !== undefined);
  return resyncAll(
    parts,
    users.map(({ name: user }) => user),
  );
}

/** Sends all stored objects to reconcilers, even those that they have already seen. No events are published. */
async function resyncAll(parts: StreamParts, names: readonly string[]): Promise<Outcome> {
  const { store, queue, deadLetters, clock, reconcilers } = parts;
  const selected = reconcilers.filter(({ name }) => names.includes('*') || names.includes(name));
  for (const name of await store.names()) {
    const consumer = requestConsumer(
      queue,
      selected.filter(({ mayHold }) => mayHold?.(name) ?? true),
      { later: newUid },
    );
    if (!consumer.wants(name)) continue;
    const sequence = store.sequence(name);
    await resync({ name, sequence, consumer, deadLetters, now: () => clock.now(), summarize: summarizeBody });
  }
  return { lag: 0, faults: [], delivered: [] };
}
