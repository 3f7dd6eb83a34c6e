import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import type { Flow } from '#lib/server/request/request-context.ts';
import type { Configuration, FlowSchema } from './configuration.ts';
import { DroppedRequests } from './dropped-requests.ts';
import type { FlowCounts } from './fairqueuing/flow-counts.ts';
import type { Ticket } from './fairqueuing/queue.ts';
import type { LevelState } from './level-state.ts';
import { Levels, PERIOD } from './levels.ts';
import { FlowMetrics, type FlowObserver } from './metrics.ts';
import { WatchTracker } from './request/watch-tracker.ts';
import { type EstimatePorts, estimateWork, type WorkEstimate } from './request/work-estimate.ts';
import { matches, type RequestDigest } from './rule.ts';

/** The ports of FlowControl. */
export interface FlowControlPorts {
  readonly clock: Clock;
  /** The total number of requests that run concurrently, across all levels. */
  readonly concurrency: number;
  /** The current schemas and levels. The same object until they change. */
  configuration(): Promise<Configuration>;
  readonly stats: EstimatePorts['stats'];
}

/** An admitted request. `finish` returns its seats, and further calls are no-ops. */
export interface AdmittedRequest {
  readonly flow: Flow;
  finish(): void;
}

/** A rejected request, which may be retried after `retryAfter` seconds. */
export interface RejectedRequest {
  readonly flow: Flow;
  readonly retryAfter: number;
}

/** A request that needs admission. */
export interface FlowRequest extends RequestDigest {
  readonly query: URLSearchParams;
  /** The maximum time in ms that the request may wait for seats. */
  readonly patience: number;
  /** Aborts after the client disconnected. Called only if the request waits. */
  gone(): AbortSignal;
}

interface Classified {
  readonly schema: FlowSchema;
  readonly state: LevelState;
  readonly counts: FlowCounts;
  readonly observer: FlowObserver;
  readonly flow: Flow;
}

/** API Priority and Fairness in one process: upstream's apf_filter and its config controller. */
export class FlowControl implements Collector {
  readonly #ports: FlowControlPorts;
  readonly #levels: Levels;
  readonly #watches = new WatchTracker();
  readonly #metrics = new FlowMetrics();
  readonly #dropped = new Map<string, DroppedRequests>();
  readonly #observers = new WeakMap<FlowCounts, FlowObserver>();
  #configuration: Configuration | undefined;

  constructor(ports: FlowControlPorts) {
    this.#ports = ports;
    this.#levels = new Levels(ports.clock, ports.concurrency);
  }

  /** Waits for seats for at most `patience` ms. */
  async admit(asked: FlowRequest): Promise<AdmittedRequest | RejectedRequest> {
    const configuration = await this.#ports.configuration();
    const classified = this.#classify(asked, configuration);
    const { state, schema, counts } = classified;
    const started = state.queues.start({
      counts,
      work: this.#estimate(asked, classified),
      hand: state.hand(schema.name, distinguisherOf(schema, asked)),
    });
    if (typeof started === 'string') return this.#refused(classified);
    if (!state.level.exempt && !(await this.#waited(asked, classified, started))) return this.#refused(classified);
    return this.#admitted(asked, classified, started);
  }

  /** Counts a watch until the returned function is called. */
  watching(asked: Pick<FlowRequest, 'info' | 'query'>): () => void {
    return this.#watches.add(asked.info, asked.query);
  }

  async collect(): Promise<readonly Family[]> {
    this.#use(await this.#ports.configuration());
    return this.#metrics.collect([...this.#levels.states()]);
  }

  #use(configuration: Configuration): void {
    if (configuration === this.#configuration) this.#levels.adjustWhenDue();
    else this.#levels.configure(configuration);
    this.#configuration = configuration;
  }

  /** Classifies the request. The catch-all schema matches every request, even if its subjects do not match. */
  #classify(digest: RequestDigest, configuration: Configuration): Classified {
    this.#use(configuration);
    const { schemas } = configuration;
    const found = schemas.find((one) => matches(digest, one)) ?? schemas.find(({ name }) => name === 'catch-all');
    const schema = found as FlowSchema;
    const state = this.#levels.at(schema.level) as LevelState;
    const counts = state.countsOf(schema.name);
    const observer = this.#observer(counts, state, schema);
    return { schema, state, counts, observer, flow: { schemaUid: schema.uid, levelUid: state.level.uid } };
  }

  #observer(counts: FlowCounts, { level }: LevelState, schema: FlowSchema): FlowObserver {
    const known = this.#observers.get(counts);
    if (known !== undefined) return known;
    const observer = this.#metrics.flow(level.name, schema.name);
    this.#observers.set(counts, observer);
    return observer;
  }

  #estimate({ info, query }: FlowRequest, { state, observer }: Classified): WorkEstimate {
    const watchers = (): number => this.#watches.interested(info);
    const work = estimateWork(info, query, state.maxSeats, { stats: this.#ports.stats, watchers });
    observer.seats(Math.max(work.initialSeats, work.finalSeats));
    return work;
  }

  /** Whether the request got its seats. */
  async #waited({ patience, gone }: FlowRequest, { state, observer }: Classified, ticket: Ticket): Promise<boolean> {
    const { clock } = this.#ports;
    const came = clock.monotonic();
    const executes = ticket.state === 'executing' || (await this.#decided(state, ticket, patience, gone()));
    observer[executes ? 'letIn' : 'refused']((clock.monotonic() - came) / 1000);
    return executes;
  }

  /** Resolves after the request got its seats, its wait limit passed, or its client disconnected. */
  async #decided({ queues }: LevelState, ticket: Ticket, patience: number, gone: AbortSignal): Promise<boolean> {
    const ends = new AbortController();
    void this.#wait(patience, AbortSignal.any([gone, ends.signal])).then(() => queues.cancel(ticket));
    const executes = await ticket.decided();
    ends.abort('decided');
    return executes;
  }

  /** Waits, and redistributes seats periodically in the meantime, even if no other request arrives. */
  async #wait(patience: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#ports;
    const until = clock.monotonic() + patience;
    for (let left = patience; left > 0 && !signal.aborted; left = until - clock.monotonic()) {
      await clock.sleep(Math.min(left, PERIOD), signal);
      this.#levels.adjustWhenDue();
    }
  }

  #admitted({ info }: FlowRequest, { state, observer, flow }: Classified, ticket: Ticket): AdmittedRequest {
    const finish = (): void => {
      if (ticket.state !== 'executing') return;
      const seconds = (this.#ports.clock.monotonic() - ticket.started) / 1000;
      state.queues.finish(ticket);
      observer[info.verb === 'watch' ? 'watch' : 'regular'](seconds);
    };
    return { flow, finish };
  }

  #refused({ state, flow }: Classified): RejectedRequest {
    const { name } = state.level;
    const dropped = this.#dropped.get(name) ?? new DroppedRequests();
    this.#dropped.set(name, dropped);
    dropped.record(this.#ports.clock.now());
    return { flow, retryAfter: dropped.retryAfter };
  }
}

/** The flow of a request within its schema: by user, by namespace, or the same for all. */
function distinguisherOf({ distinguisher }: FlowSchema, { user, info }: RequestDigest): string {
  if (distinguisher === 'ByUser') return user.name;
  return distinguisher === 'ByNamespace' ? info.namespace : '';
}
