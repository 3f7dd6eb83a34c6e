import type { Apiserver } from '#functions/apiserver/wiring.ts';
import type { ExtenderConnections } from '#functions/scheduler/wiring.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { newUid } from '#lib/machinery/random.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { SchedulerConfiguration } from '#lib/scheduler/apis/config/configuration.ts';
import { watchedName } from '#lib/scheduler/resources.ts';
import type { Scheduler } from '#lib/scheduler/scheduler.ts';
import type { Strategy } from '#lib/scheduler/strategy.ts';
import { SCHEDULER_USER } from '#lib/scheduler/user.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Channels } from '#lib/server/channel/channels.ts';

/** A scheduler that runs next to the default one. */
export interface OtherScheduler {
  /** The name used as `schedulerName` of pods, and as the user agent. */
  readonly name: string;
  /** Must be allowed to bind pods. */
  readonly user: User;
  readonly strategy: Strategy;
  readonly metrics: Collector;
}

/** The ports and settings of a running scheduler. */
export interface RunningSchedulerOptions {
  readonly clock: Clock;
  /** Default: upstream's default profile. */
  readonly configuration?: SchedulerConfiguration | undefined;
  /** Undefined for the default scheduler, which starts with the first pod that needs a node. */
  readonly other?: OtherScheduler;
  /** The channels of nodes, for calls to extenders in pods. By default there are none, and such extenders are unreachable. */
  readonly channels?: Channels;
  reportFault(auditId: string, error: unknown): void;
}

type ScheduledServer = Pick<Apiserver, 'handle' | 'services'>;

/** Delay in ms before a failed list is retried. */
const AGAIN = 1000;

/** The scheduler of this process. It is not loaded until a pod needs a node. */
export class RunningScheduler implements Collector {
  /** Authenticates as `user` at the server, which accepts the token. */
  readonly token = newUid();
  readonly #options: RunningSchedulerOptions;
  readonly #ending = new AbortController();
  /** Changes that arrive during the initial lists; undefined while no pod waits for a node. */
  #early: ObjectChange[] | undefined;
  #scheduler: Scheduler | undefined;
  #work: Promise<void> = Promise.resolve();
  #server: ScheduledServer | undefined;
  #way: (ExtenderConnections & Disposable) | undefined;

  constructor(options: RunningSchedulerOptions) {
    this.#options = options;
  }

  /** The user that the scheduler acts as. */
  get user(): User {
    return this.#options.other?.user ?? SCHEDULER_USER;
  }

  /** Starts to assign nodes to pods. Throws if the configuration is invalid. */
  async start(server: ScheduledServer): Promise<void> {
    this.#server = server;
    if (this.#options.configuration !== undefined && this.#options.other === undefined) await this.#build(server); // fails early
  }

  /** Called with every existing object, and then with each change. */
  tell(change: ObjectChange): void {
    if (watchedName(change.group, change.resource) === undefined) return;
    if (this.#scheduler !== undefined) apply(this.#scheduler, change);
    else if (this.#early !== undefined) this.#early.push(change);
    else if (wantsNode(change, this.#options.other?.name)) this.#begin(change);
  }

  async collect(): Promise<readonly Family[]> {
    return (this.#options.other ?? this.#scheduler)?.metrics.collect() ?? [];
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#scheduler?.close();
    await this.#work;
    this.#way?.[Symbol.dispose]();
  }

  #begin(first: ObjectChange): void {
    const server = this.#server;
    if (server === undefined || this.#ending.signal.aborted) return;
    this.#early = [first];
    this.#work = this.#run(server);
  }

  async #run(server: ScheduledServer): Promise<void> {
    const scheduler = await this.#loaded(server);
    if (scheduler === undefined) return;
    for (const change of this.#early ?? []) apply(scheduler, change);
    this.#early = [];
    this.#scheduler = scheduler;
    await scheduler.run().catch((error: unknown) => this.#options.reportFault('scheduler', error));
  }

  /** A scheduler that has loaded every object; undefined if the process ends first. */
  async #loaded(server: ScheduledServer): Promise<Scheduler | undefined> {
    const { clock, reportFault } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        const scheduler = await this.#build(server);
        await scheduler.load();
        if (!signal.aborted) return scheduler;
      } catch (error) {
        reportFault('scheduler', error);
        await clock.sleep(AGAIN, signal);
      }
    }
    return undefined;
  }

  async #build(server: ScheduledServer): Promise<Scheduler> {
    const { clock, channels, configuration, other, reportFault } = this.#options;
    const { buildScheduler, newExtenderConnections, schedulerClient } = await import('#functions/scheduler/wiring.ts');
    const connections =
      (configuration?.extenders.length ?? 0) === 0
        ? undefined
        : (this.#way ??= await newExtenderConnections(server, channels));
    return buildScheduler({
      client: schedulerClient({ handle: server.handle, token: this.token }, other?.name),
      clock,
      random: Math.random,
      configuration,
      connections,
      strategy: other?.strategy,
      reportFault: (error) => reportFault('scheduler', error),
    });
  }
}

/** Whether a pod waits for a node and, if a name is given, for the scheduler with this name. */
function wantsNode(change: ObjectChange, scheduler: string | undefined): boolean {
  if (change.resource !== 'pods' || change.group !== '' || change.type === 'DELETED') return false;
  if (scheduler !== undefined && text(objectAt(change.object(), 'spec'), 'schedulerName') !== scheduler) return false;
  return !change.mentions('"nodeName"') || text(objectAt(change.object(), 'spec'), 'nodeName') === '';
}

function apply(scheduler: Scheduler, change: ObjectChange): void {
  const name = watchedName(change.group, change.resource);
  if (name === undefined) return;
  if (change.type === 'DELETED') scheduler.tellGone(name, change.object());
  else scheduler.tell(name, change.object());
}
