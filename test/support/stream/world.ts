import { deduplicationId, groupId, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryDisk, MemoryStore } from '#lib/storage/memory/store.ts';
import type { Change, ChangeType, Proposal, Version } from '#lib/storage/sequence.ts';
import type { Consumer } from '#lib/stream/consumer.ts';
import { Doorbell } from '#lib/stream/doorbell.ts';
import { eventConsumer, eventGroup, type OnDemand } from '#lib/stream/event-consumer.ts';
import type { ChangeEvent } from '#lib/stream/event-schema.ts';
import { MemoryDeadLetters } from '#lib/stream/memory-dead-letters.ts';
import { MemorySink } from '#lib/stream/memory-sink.ts';
import { byKeys, type RequestRoute, requestConsumer } from '#lib/stream/request-consumer.ts';
import type { Answer } from '#lib/stream/send-in-order.ts';
import { type Death, Mortal } from './mortal.ts';

export const RETENTION = 3_600_000;
export const CONFIG_MAPS = 'main//configmaps';

/** Sends a reconcile request with the name of every object that changes. */
export const NAMES: RequestRoute = byKeys({ name: 'names', keys: ({ name }) => [name] });

/** A stored object of a kind, complete enough for a change event. */
export function aBody(name: string, over: Record<string, unknown> = {}, kind = 'ConfigMap'): Uint8Array {
  const metadata = { resourceVersion: '0', name, namespace: 'default', uid: `uid-of-${name}` };
  return Buffer.from(JSON.stringify({ kind, apiVersion: 'v1', metadata, ...over }));
}

const NO_SUMMARY = { labels: {}, fields: {}, generation: 0, ownerReferences: [] };

export function aProposal(name: string, type: ChangeType = 'ADDED', over: Partial<Proposal> = {}): Proposal {
  return { ...NO_SUMMARY, key: `${CONFIG_MAPS}/default/${name}`, type, body: aBody(name), ...over };
}

export interface WorldOptions {
  readonly publish?: readonly OnDemand[];
  readonly reconcilers?: readonly RequestRoute[];
  onEvent?(event: ChangeEvent): Answer;
  onRequest?(message: ReconcileMessage): Answer;
}

/** The state that outlives the stream's processes: the logs, the bus, the queue, the dead letters. */
export class World {
  readonly clock = new ManualClock();
  readonly store = new MemoryStore({ clock: this.clock, retention: RETENTION, disk: new MemoryDisk() });
  readonly deadLetters = new MemoryDeadLetters();
  readonly bus: MemorySink<ChangeEvent>;
  readonly queue: MemorySink<ReconcileMessage>;
  readonly #options: WorldOptions;
  readonly #last = new Map<string, Version>();

  constructor(options: WorldOptions = {}) {
    this.#options = options;
    const { clock } = this;
    this.bus = new MemorySink<ChangeEvent>({
      clock,
      group: eventGroup,
      answer: (event) => options.onEvent?.(event) ?? 'taken',
    });
    this.queue = new MemorySink<ReconcileMessage>({
      clock,
      group: groupId,
      answer: (of) => options.onRequest?.(of) ?? 'taken',
    });
  }

  consumers(process = new Mortal(undefined)): readonly [Consumer, Consumer] {
    const { publish = [], reconcilers = [NAMES] } = this.#options;
    return [
      eventConsumer({ bus: process.sink(this.bus), clusterId: 'test', publish }),
      requestConsumer(process.sink(this.queue), reconcilers),
    ];
  }

  /** A doorbell in a separate process, which may die. */
  doorbell(process = new Mortal(undefined)): Doorbell {
    return new Doorbell({
      store: process.store(this.store),
      clock: this.clock,
      consumers: this.consumers(process),
      deadLetters: process.deadLetters(this.deadLetters),
      summarize: () => NO_SUMMARY,
      checkpointEvery: () => 0,
    });
  }

  /** Runs the doorbell in a process that may die. Resolves with whether it ended normally. */
  async ringMortal(death: Death, names = [CONFIG_MAPS]): Promise<boolean> {
    const process = new Mortal(death);
    const ended = this.doorbell(process)
      .ring(names)
      .then(() => true);
    return Promise.race([ended, process.died.then(() => false)]);
  }

  /** Appends changes one after the other, each with the previous object. */
  async write(proposals: readonly Proposal[], sequence = CONFIG_MAPS): Promise<void> {
    const log = this.store.sequence(sequence);
    for (const proposal of proposals) {
      const before = this.#last.get(proposal.key);
      const previous = before === undefined ? {} : { previous: { ...NO_SUMMARY, version: before } };
      const result = await log.append(await log.head(), [{ ...previous, ...proposal }], { nonce: proposal.key });
      if (result.ok) this.#last.set(proposal.key, result.first);
    }
  }

  async log(sequence = CONFIG_MAPS): Promise<readonly Change[]> {
    return (await this.store.sequence(sequence).readLog(0, { limit: 100_000, consistent: true })).changes;
  }

  async deadLettersOf(consumer: string) {
    return (await Array.fromAsync(this.deadLetters.all())).filter((deadLetter) => deadLetter.consumer === consumer);
  }

  /** The problems in the deliveries so far. No version at or below the cursors may be missing. */
  async violations({ finished }: { finished: boolean }, sequence = CONFIG_MAPS): Promise<string[]> {
    const { marks } = this.store.sequence(sequence);
    const end = finished ? Number.POSITIVE_INFINITY : 0;
    const [toEvents, toRequests] = [(await marks.cursor('events')) ?? 0, (await marks.cursor('requests')) ?? 0];
    const events = this.bus.taken.map((event) => ({ key: eventGroup(event), version: Number(event.resourceVersion) }));
    const requests = this.queue.taken.map((of) => ({ key: groupId(of), version: of.version, id: deduplicationId(of) }));
    const log = await this.log(sequence);
    return [
      ...missing(log, events, [await this.deadLettersOf('events'), Math.max(end, toEvents)]),
      ...missingRequests(log, this.queue.taken, Math.max(end, toRequests)),
      ...outOfOrder(events).map((what) => `events: ${what}`),
      ...outOfOrder(requests).map((what) => `requests: ${what}`),
    ];
  }
}

interface Delivered {
  readonly key: string;
  readonly version: Version;
}

function missing(
  log: readonly Change[],
  delivered: readonly Delivered[],
  [deadLetters, upTo]: [readonly { version: Version }[], Version],
): string[] {
  const there = new Set([...delivered, ...deadLetters].map(({ version }) => version));
  return log
    .filter(({ version }) => version <= upTo && !there.has(version))
    .map(({ version }) => `no event ${version}`);
}

/** Finds changes without a request. A request with the same or a later version of the object covers all earlier changes. */
function missingRequests(log: readonly Change[], sent: readonly ReconcileMessage[], upTo: Version): string[] {
  const newest = new Map<string, Version>();
  for (const { name, version } of sent) newest.set(name, Math.max(version, newest.get(name) ?? 0));
  return log
    .filter(({ key, version }) => version <= upTo && version > (newest.get(key.split('/').at(-1) ?? '') ?? 0))
    .map(({ version }) => `no request for ${version}`);
}

/** Finds versions that were first delivered after a later version. */
function outOfOrder(delivered: readonly Delivered[]): string[] {
  const seen = new Map<string, Set<Version>>();
  const wrong: string[] = [];
  for (const { key, version } of delivered) {
    const versions = seen.get(key) ?? new Set();
    seen.set(key, versions);
    if (!versions.has(version) && [...versions].some((other) => other > version)) wrong.push(`${version} came late`);
    versions.add(version);
  }
  return wrong;
}
