import type { Client } from '#lib/client/client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { Cache } from './backend/cache/cache.ts';
import { SchedulingQueue } from './backend/queue/scheduling-queue.ts';
import { hasEnded, nodeChanged, otherChanged, podChanged, type Changed } from './event-handlers.ts';
import type { Extender } from './framework/extender.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { PodInfo } from './framework/pod-info.ts';
import type { FrameworkPorts, FrameworkProfile } from './framework/runtime/framework.ts';
import { WaitingPods } from './framework/runtime/waiting-pods.ts';
import { SchedulerMetrics } from './metrics/metrics.ts';
import { ObjectStore } from './object-store.ts';
import { PodsInPreBind } from './pods-in-pre-bind.ts';
import { newFrameworks } from './profile/profile.ts';
import { podEvents } from './record-events.ts';
import { Requests } from './requests.ts';
import { isWatchedName, WATCHED, type WatchedName } from './resources.ts';
import { scheduleOne } from './schedule-one.ts';
import { nodeNameOf, type Scheduling } from './scheduling.ts';
import { UnderWay } from './under-way.ts';

/** Milliseconds: an attempt that takes longer leaves others in this process as long again. */
const LONG = 100;
/** What is asked of the API: one request for each resource. */
const WATCHED_NAMES = Object.keys(WATCHED).filter(isWatchedName);

export interface SchedulerOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Numbers from 0 to below 1. */
  random(): number;
  readonly profiles: readonly FrameworkProfile[];
  readonly percentageOfNodesToScore: number;
  /** Milliseconds. */
  readonly backoff: { readonly initial: number; readonly max: number };
  /** Made with what tells of a node, by its name, as it is in the attempt that asks. Default none. */
  extenders?(node: (name: string) => NodeInfo | undefined): readonly Extender[];
  reportFault(error: unknown): void;
}

/**
 * Gives nodes to pods: upstream's Scheduler. It knows what it is told; `settle` works until there is nothing to do now, `run` until it
 * is closed. Throws ProfileError where a profile cannot be.
 */
export class Scheduler {
  readonly metrics: SchedulerMetrics;
  readonly #options: SchedulerOptions;
  readonly #scheduling: Scheduling;
  readonly #stores: ReadonlyMap<WatchedName, ObjectStore>;
  readonly #cache = new Cache();
  readonly #waitingPods: WaitingPods;
  readonly #inPreBind = new PodsInPreBind();
  readonly #underWay = new UnderWay();
  readonly #requests = new Requests();
  readonly #ending = new AbortController();
  #nodeStart = 0;
  #wake: () => void = () => undefined;

  constructor(options: SchedulerOptions) {
    this.#options = { ...options, client: this.#requests.of(options.client) };
    this.#waitingPods = new WaitingPods(options.clock);
    this.#stores = new Map(WATCHED_NAMES.map((name) => [name, new ObjectStore(name)]));
    this.#scheduling = this.#compose();
    this.metrics = this.#scheduling.metrics;
  }

  /** Asks for all that there is. */
  async load(): Promise<void> {
    for (const name of WATCHED_NAMES)
      for (const object of await this.#options.client.list(WATCHED[name].resource)) this.tell(name, object);
  }

  /** An object as it is now. Of an older version than is known nothing is taken. */
  tell(name: WatchedName, object: JsonObject): void {
    if (name === 'pods' && hasEnded(object)) return this.tellGone(name, object);
    const store = this.#storeOf(name);
    const before = store.get(namespaceOf(object), nameOf(object));
    if (before === undefined || isNewer(object, before)) this.#changed(name, { before, after: store.set(object) });
  }

  /** An object that is not there any more. */
  tellGone(name: WatchedName, object: JsonObject): void {
    const store = this.#storeOf(name);
    const before = store.get(namespaceOf(object), nameOf(object));
    if (before === undefined || uidOf(before) !== uidOf(object)) return;
    store.delete(object);
    this.#changed(name, { before, after: undefined });
  }

  /** What was told last of an object. */
  known(name: WatchedName, namespace: string, objectName: string): JsonObject | undefined {
    return this.#storeOf(name).get(namespace, objectName);
  }

  /** How many wait for a node, or for their next attempt; those left out that a gate keeps. */
  get waiting(): number {
    const { active, backoff, unschedulable } = this.#scheduling.queue.pending;
    return active + backoff + unschedulable;
  }

  /** Works until nothing is left to be done now: all are bound or told why not, and what they waited for has ended. */
  async settle(): Promise<void> {
    do await this.#drain();
    while (await this.#underWay.ended());
  }

  /** Works whenever there is something to do, until closed. */
  async run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await this.#drain();
      const due = this.#scheduling.queue.nextDue();
      const ending = new AbortController();
      const end = AbortSignal.any([signal, ending.signal]);
      const later = due === undefined ? promise : clock.sleep(Math.max(0, due - clock.monotonic()), end);
      if (!signal.aborted) await Promise.race([promise, later]);
      ending.abort();
    }
  }

  /** Nothing of it runs afterwards. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#wake();
    this.#waitingPods.close();
    await this.#underWay.ended();
  }

  async #drain(): Promise<void> {
    const { queue } = this.#scheduling;
    const { clock } = this.#options;
    for (let next = queue.pop(); next !== undefined && !this.#ending.signal.aborted; next = queue.pop()) {
      const begun = clock.monotonic();
      const { rest, nextStart } = await scheduleOne(this.#scheduling, next, this.#nodeStart);
      this.#nodeStart = nextStart;
      const took = clock.monotonic() - begun;
      this.#underWay.add(rest);
      await this.#requests.room();
      await clock.sleep(took < LONG ? 0 : took, this.#ending.signal); // others in this process have their turn
    }
  }

  #changed(name: WatchedName, change: Changed): void {
    const { event } = WATCHED[name];
    if (name === 'pods') podChanged(this.#scheduling, change);
    else if (name === 'nodes') nodeChanged(this.#scheduling, change);
    else if (event !== undefined) otherChanged(this.#scheduling, event, change);
  }

  #storeOf(name: WatchedName): ObjectStore {
    const store = this.#stores.get(name);
    if (store === undefined) throw new TypeError(`${name} are not watched`);
    return store;
  }

  #compose(): Scheduling {
    const { client, clock, percentageOfNodesToScore, backoff, reportFault } = this.#options;
    const frameworks = newFrameworks(this.#options.profiles, this.#ports());
    const [first] = frameworks.values();
    const queue = new SchedulingQueue({
      clock,
      backoff,
      less: (a, b) => first?.points.queueSort[0]?.less(a, b) ?? false,
      profiles: new Map(
        Array.from(frameworks, ([name, { hints, points }]) => [name, { hints, preEnqueue: points.preEnqueue }]),
      ),
      isPending: (pod) => this.#isPending(pod),
      onActive: () => this.#wake(),
    });
    return {
      client,
      clock,
      cache: this.#cache,
      queue,
      frameworks,
      percentageOfNodesToScore,
      signal: this.#ending.signal,
      waitingPods: this.#waitingPods,
      inPreBind: this.#inPreBind,
      metrics: new SchedulerMetrics(() => queue.pending),
      podNow: (namespace, name) => this.known('pods', namespace, name),
      reportFault,
    };
  }

  #isPending({ namespace, name, uid }: PodInfo): boolean {
    const pod = this.known('pods', namespace, name);
    return pod !== undefined && uidOf(pod) === uid && nodeNameOf(pod) === '';
  }

  /** What plugins may use of this scheduler, once it runs. */
  #ports(): FrameworkPorts {
    const { client, clock, reportFault } = this.#options;
    const record = podEvents({ client, clock, reportFault, random: () => this.#options.random() });
    return {
      snapshot: () => this.#cache.snapshot,
      lister: (resource) => this.#storeOf(resource),
      client,
      clock,
      signal: this.#ending.signal,
      random: () => this.#options.random(),
      nominator: {
        nominatedPodsForNode: (node) => this.#scheduling.queue.nominatedPodsForNode(node),
        deleteNominatedPod: (pod) => this.#scheduling.queue.nominations.delete(uidOf(pod)),
      },
      extenders: this.#options.extenders?.((name) => this.#cache.snapshot.get(name)) ?? [],
      preemptUnbound: (uid, plugin) =>
        this.#waitingPods.preempt(uid, plugin, 'preempted') || this.#inPreBind.cancel(uid, `preempted by ${plugin}`),
      activate: (pod) => this.#scheduling.queue.activate(pod),
      inBackground: (work) => this.#underWay.add(work.catch(reportFault)),
      record: (schedulerName, pod, event) => this.#underWay.add(record(schedulerName, pod, event)),
    };
  }
}

/** Changes come at least once, and some while all is being listed: what is known already is not told again. */
function isNewer(object: JsonObject, known: JsonObject): boolean {
  const version = resourceVersionOf(object);
  return version === '' || uidOf(object) !== uidOf(known) || Number(version) > Number(resourceVersionOf(known));
}
