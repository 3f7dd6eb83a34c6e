import { expect } from 'vitest';
import { type Apiserver, buildApiserver } from '#functions/apiserver/wiring.ts';
import { builtInReconcilers, ControllerTokens, switchedOff } from '#functions/reconcilers/wiring.ts';
import { type BuiltIns, forward, initialMessages, work } from '#functions/reconcilers/work.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { BatchPorts, DeliveryResult } from '#lib/client/controller/batch.ts';
import { encodeMessage, messageOf, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import { KnownVersions } from '#lib/client/controller/known-versions.ts';
import { changeOf } from '#lib/client/controller/object-change.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { BUILT_IN, builtInHop } from '#lib/controllers/first-hop.ts';
import { ensureBootstrapPolicy } from '#lib/controllers/rbac-bootstrap/reconcile.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { Version } from '#lib/storage/sequence.ts';
import { NAMESPACES } from './refs.ts';

const EVERY: readonly string[] = ['*'];

/**
 * The cloud around the function of the built-in reconcilers: a log, the stream's first hop, a FIFO queue and a delay queue. Each batch runs
 * in its own process.
 */
export class Cloud {
  readonly clock = new ManualClock();
  readonly store = new MemoryStore({ clock: this.clock, retention: 3_600_000 });
  readonly tokens = new ControllerTokens();
  readonly faults: unknown[] = [];
  readonly dead: string[] = [];
  readonly server: Apiserver = buildApiserver({
    store: this.store,
    clock: this.clock,
    exclusive: false,
    cacheBytes: 2 ** 26,
    serverAddress: '127.0.0.1:6443',
    tokens: new Map(this.tokens.users()),
    reportFault: (_auditId, error) => this.faults.push(error),
  });
  readonly user: Client = this.client('kubectl');
  /** The events that a warm instance remembers. By default, each batch is a cold start. */
  events: EventCorrelator | undefined;
  readonly queue: ReconcileMessage[] = [];
  readonly later: ReconcileMessage[] = [];
  /** Runs before the other reconcilers. */
  first: Reconciler | undefined;
  /** The controllers to run from now on. */
  controllers: readonly string[] = EVERY;
  /** Renews the leases of live nodes. Default none. */
  alive: () => Promise<void> = async () => undefined;
  #lasting: readonly Reconciler[] | undefined;
  readonly #places = new Map<string, Version>();

  client(userAgent: string): Client {
    return apiClient({ handle: this.server.handle, token: this.server.loopbackToken, userAgent });
  }

  #builtIns(): BuiltIns {
    const options = {
      authority: 'PEM',
      address: { host: '127.0.0.1', port: 6443 },
      clock: this.clock,
      events: this.events ?? new EventCorrelator(this.clock),
      index: this.store,
      controllers: this.controllers,
    };
    const make = () => {
      const all = builtInReconcilers(this.server, this.tokens, options);
      return this.first === undefined ? all : [this.first, ...all];
    };
    this.#lasting ??= make();
    const off = this.controllers === EVERY ? new Set<string>() : switchedOff(this.server, this.tokens, options);
    return { make, lasting: this.#lasting, off, store: this.store, index: this.store, client: this.client('davit') };
  }

  begin(): void {
    this.queue.push(...initialMessages(this.#builtIns(), () => 'nonce'));
  }

  #ports(known = new KnownVersions()): Omit<BatchPorts, 'workerOf'> {
    return {
      clock: this.clock,
      known,
      deadline: this.clock.monotonic() + 1, // work has no delay here
      maxAttempts: 10,
      random: () => 0,
      nonce: () => 'n',
      onError: (_message, error) => {
        if (!(error instanceof StatusError) || error.reason !== 'Conflict') this.faults.push(error);
      },
      queues: {
        send: async (message) => void this.queue.push(message),
        later: async (message) => void this.later.push(message),
        deadLetter: async (body, reason) => void this.dead.push(`${reason}: ${body}`),
      },
    };
  }

  /** Sends a message for each change committed since the last call, and folds the logs. */
  async stream(): Promise<void> {
    for (const name of await this.store.names()) {
      const page = await this.store
        .sequence(name)
        .readLog(this.#places.get(name) ?? 0, { limit: 1e6, consistent: true });
      this.#places.set(name, page.last);
      await this.store.sequence(name).compact();
      for (const change of page.changes) {
        for (const request of builtInHop.requests(changeOf(change.type, { ...change, summary: change })))
          this.queue.push(
            messageOf({
              reconciler: BUILT_IN,
              cluster: DEFAULT_CLUSTER,
              ...request,
              sequence: name,
              version: change.version,
            }),
          );
      }
    }
  }

  /** Makes the log drop entries whose messages are still in the queue. */
  async forget(name: string): Promise<void> {
    await this.stream();
    this.clock.advance(7_200_000);
    const sequence = this.store.sequence(name);
    const head = await sequence.head();
    await sequence.append(head, [], { nonce: 'n' });
    await sequence.compact();
    await expect(sequence.readLog(0, { limit: 1, consistent: true })).rejects.toThrow();
  }

  /** Runs until no message is queued, and until delayed messages have been retried several times without effect. */
  async settle(): Promise<void> {
    for (let patience = 3, rounds = 0; rounds < 300; rounds++) {
      await this.stream();
      if (this.queue.length === 0) {
        if (this.later.length === 0 || patience-- === 0) return;
        await this.pass(10_000);
        await this.forward(this.later.splice(0));
      }
      await this.work(this.queue.splice(0, 10));
    }
    throw new Error('not settled');
  }

  /** Advances the clock by this many milliseconds. Live nodes renew their leases meanwhile. */
  async pass(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await this.alive();
  }

  /** Delivers delayed messages. */
  async forward(messages: readonly ReconcileMessage[]): Promise<void> {
    expect(await forward(messages.map(delivered), this.#ports())).toEqual([]);
  }

  /** Delivers a batch. Without `known`, the process has empty caches. */
  async work(messages: readonly ReconcileMessage[], known?: KnownVersions): Promise<void> {
    expect(await work(messages.map(delivered), this.#builtIns(), this.#ports(known))).toEqual([]);
  }
}

const delivered = (message: ReconcileMessage, i: number): DeliveryResult => ({
  id: `${i}`,
  body: encodeMessage(message),
});

/** A cloud with the namespace `team`. */
export async function aCloud(): Promise<Cloud> {
  const cloud = new Cloud();
  for (const name of ['kube-system', 'kube-public', 'default', 'team'])
    await cloud.user.create(NAMESPACES, { metadata: { name } });
  await ensureBootstrapPolicy(cloud.user);
  await cloud.settle();
  return cloud;
}
