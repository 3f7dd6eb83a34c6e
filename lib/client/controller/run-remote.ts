import { type ApiClientOptions, apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { discover, type ServedResource } from '#lib/client/discovery.ts';
import { listWatch } from '#lib/client/list-watch.ts';
import { type RestMapper, restMapper } from '#lib/client/rest-mapper.ts';
import type { Kind } from '#lib/client/typed-client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { AttemptMetrics } from './attempt-metrics.ts';
import type { DefinedReconciler } from './define-reconciler.ts';
import type { Logger } from './logger.ts';
import type { QueueMetrics } from './queue-metrics.ts';
import type { ObjectChange, Reconciler } from './reconciler.ts';
import { Reflector } from './reflector.ts';
import { resync } from './resync.ts';
import { runDefined } from './run-defined.ts';
import { kindsOf, notServed } from './unserved.ts';
import { WorkQueue } from './work-queue.ts';

/** The ports for running reconcilers against a remote API server. */
export interface RemotePorts {
  /** The API server, called with the reconcilers' identity. */
  readonly handle: ApiClientOptions['handle'];
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns numbers from 0 to below 1. */
  random(): number;
  /** The maximum duration of an attempt in ms. */
  readonly timeout: number;
  /** Only objects in this namespace. '' means all namespaces. */
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** Counts attempts. */
  readonly attempts: AttemptMetrics;
  readonly queues: QueueMetrics;
}

/** The delay in ms before discovery is repeated for an unserved kind. */
const UNSERVED = 5000;
const UNSERVED_KIND = 'not served';

/**
 * Runs reconcilers against an API server over the network until the signal aborts. Lists and watches each declared kind once. Starts to
 * reconcile when all served kinds have been listed. Resolves when everything has stopped.
 */
export async function runRemote(defined: readonly DefinedReconciler[], ports: RemotePorts): Promise<void> {
  const { handle, clock, log, timeout, signal } = ports;
  const running = defined.map((one) => {
    const client = apiClient({ handle, userAgent: one.declaration.name });
    const reconciler = runDefined(one, { client, clock, log, timeout, onUnserved: () => undefined });
    return { reconciler, queue: queueOf(reconciler, ports), own: one.declaration.for };
  });
  const deliver = (change: ObjectChange): void => {
    for (const { reconciler, queue } of running) for (const key of reconciler.keys(change)) queue.add(key);
  };
  const client = apiClient({ handle, userAgent: 'davit' });
  const mapper = restMapper(client);
  const followed = new Map(
    allKinds(defined).map((kind) => [nameOf(kind), new Followed(kind, { ...ports, client, mapper, deliver })]),
  );
  const following = [...followed.values()].map((one) => one.run());
  await Promise.all([...followed.values()].map(({ listed }) => listed));
  const resyncs = running.map(({ reconciler, queue, own }) => {
    const keys = async (): Promise<readonly string[]> =>
      (followed.get(nameOf(own))?.all() ?? []).flatMap(reconciler.keys);
    const add = (key: string): void => queue.add(key);
    const onFault = (error: unknown): void => log.error(`${reconciler.name}: ${messageOfError(error)}`);
    const { resync: wanted } = reconciler;
    return resync(wanted && { period: wanted.period, keys }, { clock, add, onFault, signal });
  });
  if (!signal.aborted) {
    for (const { queue } of running) queue.start();
    log.info('reconcilers run', { reconcilers: running.map(({ reconciler }) => reconciler.name) });
  }
  await Promise.all([...following, ...resyncs]);
  await Promise.all(running.map(({ queue }) => queue.close()));
}

function queueOf(reconciler: Reconciler, { clock, random, attempts, queues }: RemotePorts): WorkQueue {
  const onError = (): void => undefined; // each failure was already reported
  const { name, maxConcurrent: workers = 1 } = reconciler;
  attempts.add(name, workers);
  return new WorkQueue({ reconciler, clock, workers, random, onError, observe: attempts.observe, metrics: queues });
}

const nameOf = ({ apiVersion, kind }: Kind): string => `${apiVersion} ${kind}`;

function allKinds(defined: readonly DefinedReconciler[]): readonly Kind[] {
  const all = defined.flatMap(({ declaration }) => kindsOf(declaration));
  const seen = new Map(all.map(({ apiVersion, kind }) => [nameOf({ apiVersion, kind }), { apiVersion, kind }]));
  return [...seen.values()];
}

interface FollowPorts extends RemotePorts {
  readonly client: Client;
  readonly mapper: RestMapper;
  deliver(change: ObjectChange): void;
}

/** The objects of one kind, which may be served only later. */
class Followed {
  /** Resolves when all objects have been delivered, or if the kind is not served yet. */
  readonly listed: Promise<void>;
  readonly #kind: Kind;
  readonly #ports: FollowPorts;
  readonly #resolve: () => void;
  #reflector: Reflector | undefined;
  #told = '';
  /** Whether attempts were dropped because the kind was not served. */
  #wasUnserved = false;

  constructor(kind: Kind, ports: FollowPorts) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.listed = promise;
    this.#resolve = resolve;
    this.#kind = kind;
    this.#ports = ports;
  }

  async run(): Promise<void> {
    const { handle, clock, random, deliver, namespace, signal } = this.#ports;
    const served = await this.#served();
    if (served !== undefined) {
      const { resource, namespaced } = served;
      const from = listWatch({ handle, userAgent: 'davit' }, resource, namespaced ? namespace : '');
      this.#reflector = new Reflector({
        resource,
        from,
        clock,
        random,
        deliver,
        listed: () => this.#listed(),
        onFault: (error) => void this.#failed(error),
        signal,
      });
      await this.#reflector.run();
    }
    this.#resolve();
  }

  /** All known objects. */
  all(): readonly ObjectChange[] {
    return [...(this.#reflector?.all() ?? [])];
  }

  async #served(): Promise<ServedResource | undefined> {
    const { mapper, clock, signal } = this.#ports;
    const { apiVersion, kind } = this.#kind;
    for (; !signal.aborted; await clock.sleep(UNSERVED, signal)) {
      try {
        const served = await mapper.ofKind(apiVersion, kind);
        if (served !== undefined) return served;
        await this.#tellUnserved();
        this.#resolve();
      } catch (error) {
        this.#tell(messageOfError(error));
      }
    }
    return undefined;
  }

  /** After a time in which the kind was not served, delivers every object again. */
  #listed(): void {
    if (this.#wasUnserved) for (const change of this.all()) this.#ports.deliver(change);
    this.#wasUnserved = false;
    this.#resolve();
  }

  async #failed(error: unknown): Promise<void> {
    if (!(error instanceof StatusError && error.code === 404)) return this.#tell(messageOfError(error));
    this.#wasUnserved = true;
    await this.#tellUnserved().catch((fault: unknown) => this.#tell(messageOfError(fault)));
  }

  async #tellUnserved(): Promise<void> {
    if (this.#told !== UNSERVED_KIND) this.#ports.log.error(notServed(this.#kind, await discover(this.#ports.client)));
    this.#told = UNSERVED_KIND;
  }

  /** Logs a message only once, even if it repeats. */
  #tell(what: string): void {
    if (this.#told === what) return;
    this.#told = what;
    this.#ports.log.error(`${nameOf(this.#kind)}: ${what}`);
  }
}
