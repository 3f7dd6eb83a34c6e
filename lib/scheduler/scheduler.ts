import { typedObject } from '#lib/api/typed.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { EventSeries } from '#lib/client/events/event-series.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { atMost } from '#lib/machinery/wait/within.ts';
import { Cache } from './backend/cache/cache.ts';
import { SchedulingQueue } from './backend/queue/scheduling-queue.ts';
import { objectChanged } from './event-handlers.ts';
import type { Extender } from './framework/extender.ts';
import type { NodeInfo } from './framework/node-info.ts';
import type { PodInfo } from './framework/pod-info.ts';
import type { FrameworkPorts, FrameworkProfile } from './framework/runtime/framework.ts';
import { WaitingPods } from './framework/runtime/waiting-pods.ts';
import { SchedulerMetrics } from './metrics/metrics.ts';
import { newObjectStores } from './object-stores.ts';
import { PodsInPreBind } from './pods-in-pre-bind.ts';
import { newFrameworks } from './profile/profile.ts';
import { keepPodEvents, podEvents, type RecordPorts } from './record-events.ts';
import { Requests } from './requests.ts';
import { isWatchedName, WATCHED, type WatchedName } from './resources.ts';
import type { Scheduling } from './scheduling.ts';
import { OneByOne, type Strategy } from './strategy.ts';
import { UnderWay } from './under-way.ts';

/** The time in milliseconds for which attempts follow each other before other tasks run. Their bindings then share log entries. */
const SLICE = 10;
/**
 * The duration in milliseconds at which attempts count as long. After such attempts, other tasks of the process get the same amount of
 * time.
 */
const LONG = 100;
const WATCHED_NAMES = Object.keys(WATCHED).filter(isWatchedName);

/** The ports and settings of a scheduler. */
export interface SchedulerOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  readonly profiles: readonly FrameworkProfile[];
  readonly percentageOfNodesToScore: number;
  /** The backoff durations in milliseconds. */
  readonly backoff: { readonly initial: number; readonly max: number };
  /** Creates extenders. `node` finds a node by name in the snapshot of the calling attempt. By default there are none. */
  extenders?(node: (name: string) => NodeInfo | undefined): readonly Extender[];
  /** Tracks the event series of the process, shared by several schedulers. By default the scheduler creates its own. */
  readonly events?: EventSeries;
  /** By default, pods are scheduled one at a time. */
  readonly strategy?: Strategy;
  reportFault(error: unknown): void;
}

/**
 * Assigns nodes to pods: upstream's Scheduler. It receives objects via `load`, `tell` and `tellGone`. `settle` runs until no work is left
 * for now, and `run` until `close`. Throws ProfileError for an invalid profile.
 */
export class Scheduler {
  readonly metrics: SchedulerMetrics;
  readonly #options: SchedulerOptions;
  readonly #client: Clientset;
  readonly #scheduling: Scheduling;
  readonly #stores = newObjectStores();
  readonly #cache = new Cache();
  readonly #waitingPods: WaitingPods;
  readonly #inPreBind = new PodsInPreBind();
  readonly #underWay = new UnderWay();
  readonly #recordPorts: RecordPorts;
  readonly #requests = new Requests();
  readonly #ending = new AbortController();
  readonly #strategy: Strategy;
  /** The monotonic time in milliseconds at which other tasks of the process ran last. */
  #sliceBegan = 0;
  #wake: () => void = () => undefined;

  constructor(options: SchedulerOptions) {
    this.#client = clientset(this.#requests.of(options.client));
    this.#options = options;
    this.#strategy = options.strategy ?? new OneByOne();
    const { client, clock, events = new EventSeries(clock), reportFault } = options;
    this.#recordPorts = { client, series: events, random: () => options.random(), reportFault };
    this.#waitingPods = new WaitingPods(options.clock);
    this.#scheduling = this.#compose();
    this.metrics = this.#scheduling.metrics;
  }

  /** Lists all watched objects. */
  async load(): Promise<void> {
    for (const name of WATCHED_NAMES)
      for (const object of await this.#client.list<JsonObject>(WATCHED[name].resource)) this.tell(name, object);
  }

  /** Processes an object from the API server. Ignores a state that is older than the known one. */
  tell<N extends WatchedName>(name: N, object: JsonObject): void {
    if (name === 'pods' && isPodTerminal(typedObject(PODS, object))) return this.tellGone(name, object);
    const store = this.#stores[name];
    const before = store.get(namespaceOf(object), nameOf(object));
    if (before !== undefined && !isNewer(object, before)) return;
    objectChanged(this.#scheduling, name, { before, after: store.set(object) });
  }

  /** Removes a deleted object. A damaged object may have only its namespace and name, without a uid. */
  tellGone<N extends WatchedName>(name: N, object: JsonObject): void {
    const store = this.#stores[name];
    const before = store.get(namespaceOf(object), nameOf(object));
    if (before === undefined || ![uidOf(before), ''].includes(uidOf(object))) return;
    store.delete(object);
    objectChanged(this.#scheduling, name, { before, after: undefined });
  }

  /** The number of pods that wait for a node or for their next attempt, without gated pods. */
  get waiting(): number {
    const { active, backoff, unschedulable } = this.#scheduling.queue.pending;
    return active + backoff + unschedulable;
  }

  /** Runs until no work is left for now: every pod is bound or refused with a reason, and background work has ended. */
  async settle(): Promise<void> {
    do await this.#drain();
    while (await this.#underWay.ended());
  }

  /** Schedules pods whenever there is work, until `close`. */
  async run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#ending;
    const kept = keepPodEvents(this.#recordPorts, signal);
    while (!signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await this.#drain();
      const due = this.#scheduling.queue.nextDue();
      if (signal.aborted) break;
      const wait = due === undefined ? undefined : Math.max(0, due - clock.monotonic());
      await (wait === undefined ? promise : atMost(wait, () => promise, { clock, signal }));
    }
    await kept;
  }

  /** Ends all work. Nothing runs afterwards. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#wake();
    this.#waitingPods.close();
    await this.#underWay.ended();
  }

  async #drain(): Promise<void> {
    this.#sliceBegan = this.#options.clock.monotonic();
    while (!this.#ending.signal.aborted) {
      const rest = await this.#strategy.next(this.#scheduling);
      if (rest === undefined) return;
      for (const work of rest) this.#underWay.add(work);
      await this.#pause();
    }
  }

  /** Waits until another request may start, and lets other tasks of the process run if a slice is over. */
  async #pause(): Promise<void> {
    const { clock } = this.#options;
    const took = clock.monotonic() - this.#sliceBegan;
    if (took < SLICE && this.#requests.hasRoom) return;
    await this.#requests.room();
    await clock.sleep(took < LONG ? 0 : took, this.#ending.signal);
    this.#sliceBegan = clock.monotonic();
  }

  #compose(): Scheduling {
    const { clock, percentageOfNodesToScore, backoff, reportFault } = this.#options;
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
      client: this.#client,
      clock,
      cache: this.#cache,
      queue,
      frameworks,
      percentageOfNodesToScore,
      signal: this.#ending.signal,
      waitingPods: this.#waitingPods,
      inPreBind: this.#inPreBind,
      metrics: new SchedulerMetrics(() => queue.pending),
      podNow: (namespace, name) => this.#stores.pods.get(namespace, name),
      pause: () => this.#pause(),
      reportFault,
    };
  }

  #isPending({ namespace, name, uid }: PodInfo): boolean {
    const pod = this.#stores.pods.get(namespace, name);
    return pod !== undefined && uidOf(pod) === uid && nodeNameOf(pod) === '';
  }

  /** The services for plugins, valid after construction. */
  #ports(): FrameworkPorts {
    const client = this.#client;
    const { clock, reportFault } = this.#options;
    const record = podEvents(this.#recordPorts);
    return {
      snapshot: () => this.#cache.snapshot,
      lister: (resource) => this.#stores[resource],
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

/** Changes arrive at least once, some during the first list, so a known state is skipped. */
function isNewer(object: JsonObject, known: JsonObject): boolean {
  const version = resourceVersionOf(object);
  return version === '' || uidOf(object) !== uidOf(known) || Number(version) > Number(resourceVersionOf(known));
}
