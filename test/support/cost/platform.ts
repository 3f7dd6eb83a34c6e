import { builtInReconcilers, ControllerTokens } from '#functions/reconcilers/wiring.ts';
import { type BuiltIns, forward, initialMessages, work } from '#functions/reconcilers/work.ts';
import { scheduleOnce } from '#functions/scheduler/look.ts';
import { scheduleAll, schedulerClient } from '#functions/scheduler/wiring.ts';
import { looksToCheck, wordText } from '#functions/scheduler/words.ts';
import { buildStream, type Stream } from '#functions/stream/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { BatchPorts } from '#lib/client/controller/batch.ts';
import { encodeMessage, groupId, type ReconcileMessage } from '#lib/client/controller/delivery.ts';
import { KnownVersions } from '#lib/client/controller/known-versions.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { bootstrapOnce } from '#lib/controllers/bootstrap/first-start.ts';
import { builtInHop } from '#lib/controllers/first-hop.ts';
import { defined } from '#lib/machinery/defined.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { SCHEDULER_USER } from '#lib/scheduler/user.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { GIT_VERSION } from '#lib/server/endpoints/version.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { leaseSequence } from '#lib/storage/sequences.ts';
import { eventGroup } from '#lib/stream/event-consumer.ts';
import { MemoryDeadLetters } from '#lib/stream/memory-dead-letters.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { rings } from '../../../infra/constructs/scheduler.ts';
import { type FunctionName, sum, type Tally } from '../../../scripts/cost/tally.ts';
import { gatewayBackends } from './channel.ts';
import { Counter } from './counter.ts';
import { matches } from './event-pattern.ts';
import { openServer, openStorage, type Shared } from './process.ts';
import { countedSink } from './sinks.ts';
import { bytesOf, openWatch, passSeconds } from './watches.ts';

/** Interval in ms between two polls of the stream and the queues by Lambda. */
const POLL = 250;
/** The duration of a client's request in ms. Requests are sequential. */
const REQUEST = 100;
/** The number of messages in a batch. */
const BATCH = 10;
/** All controllers, with a deployment's grace period for nodes. */
const CONTROLLERS = { controllers: ['*'], nodeMonitorGracePeriod: 300_000 };
/** The batching window in ms of messages to the scheduler. */
const WINDOW = 2_000;
const RULES = Object.values(rings(['default-scheduler']));
const ADDRESS = { host: 'example.com', port: 443 };
/** Time in ms after an operation during which its consequences count towards it. */
const WITHIN = 15 * 60_000;
/** Time in ms after which logs and events have expired. */
const KEPT = 70 * 60_000;
const ROUNDS = 2_000;
/** The filter of the table's stream excludes this sequence. */
const UNHEARD = leaseSequence(DEFAULT_CLUSTER);

interface Delayed<T> {
  readonly due: number;
  readonly message: T;
}

/** Removes and returns the messages that are due. */
function takeDue<T>(waiting: Delayed<T>[], now: number): T[] {
  const due = waiting.filter((one) => one.due <= now);
  waiting.splice(0, waiting.length, ...waiting.filter((one) => one.due > now));
  return due.map(({ message }) => message);
}

/**
 * A deployment in this process, with a table in memory. Each function has its own memory. Time only passes while no work is pending.
 * `tally` has everything that is billed by count.
 */
export class CountedPlatform {
  readonly clock = new ManualClock();
  /** Whether silent nodes become unhealthy. */
  losesNodes = false;
  readonly #counter = new Counter();
  readonly #table = new MemoryTable();
  readonly #committed = new Set<string>();
  readonly #requests: ReconcileMessage[] = [];
  readonly #later: Delayed<ReconcileMessage>[] = [];
  readonly #rung: Delayed<string>[] = [];
  readonly #shared: Shared = {
    table: this.#table,
    clock: this.clock,
    onCommit: (sequence) => sequence !== UNHEARD && this.#committed.add(sequence),
    kms: {
      encrypt: async (key) => this.#asked({ encrypted: Buffer.concat([Buffer.alloc(150), key]), keyId: 'key' }),
      decrypt: async (encrypted) => this.#asked(encrypted.subarray(150)),
    },
  };
  #front = this.#openFront();
  #doorbell = this.#openDoorbell();
  #reconcilers = this.#openReconcilers();
  #scheduler = this.#openScheduler();
  #looks = 0;
  #polled = 0;
  /** Whether requests take no time: during a step, and until the bootstrap ends. */
  #stands = true;

  /** Returns a bootstrapped deployment whose reconcilers are idle. */
  static async start(): Promise<CountedPlatform> {
    const platform = new CountedPlatform();
    await bootstrapOnce(platform.client(), ADDRESS, GIT_VERSION);
    await platform.settle();
    await platform.#sweep();
    return platform;
  }

  /**
   * The cost of this operation and all its consequences. These include a quarter of an hour, which is longer than a rollout's deadline, and
   * the later expiry of logs and events. `isCold` means that every function must start.
   */
  async cost(doing: () => Promise<unknown>, { isCold = false }: { isCold?: boolean } = {}): Promise<Tally> {
    await this.#sweep();
    this.#counter.take();
    await this.#sweep();
    const idle = this.#counter.take();
    if (isCold) this.#cool();
    await doing();
    await this.settle(WITHIN);
    await this.#sweep();
    return sum([
      [1, this.#counter.take()],
      [-1, idle],
    ]);
  }

  /**
   * The cost of this operation and its consequences until the system has been idle for seconds. With `isCold`, every function starts cold.
   */
  async costAtOnce(doing: () => Promise<unknown>, { isCold = false }: { isCold?: boolean } = {}): Promise<Tally> {
    if (isCold) this.#cool();
    this.#counter.take();
    await doing();
    await this.settle();
    return this.#counter.take();
  }

  /** Advances an hour, and runs the hourly schedules. */
  async #sweep(): Promise<void> {
    this.clock.advance(KEPT);
    const { stream, storage } = this.#doorbell;
    await stream.handle({ ringAll: true }, { hasTime: () => true });
    this.#count('doorbell', storage);
    this.#requests.push(...initialMessages(this.#reconcilers.builtIns, () => `hour ${this.clock.now()}`));
    await this.settle();
  }

  #cool(): void {
    this.#front = this.#openFront();
    this.#doorbell = this.#openDoorbell();
    this.#reconcilers = this.#openReconcilers();
    this.#scheduler = this.#openScheduler();
  }

  /** A client of the front door. The user is `admin`, or `system:node:NAME` for a node. */
  client(user = 'admin'): Client {
    return apiClient({ handle: (request) => this.request(request), token: user, userAgent: 'kubectl' });
  }

  /** One request at the front door. */
  async request(request: ApiRequest): Promise<ApiResponse> {
    const { server, storage } = this.#front;
    const response = await server.handle(request);
    const { body } = response;
    if (typeof body === 'string' || body instanceof Uint8Array)
      this.#counter.add('kilobytes sent', Buffer.byteLength(body) / 1000);
    this.#count('apiserver', storage);
    await this.#passRequest();
    return response;
  }

  /** Runs until no work is due within this many milliseconds. */
  async settle(within = 0): Promise<void> {
    const end = this.clock.now() + within;
    for (let round = 0; round < ROUNDS; round++) {
      if (await this.#step()) {
        this.clock.advance(POLL);
        continue;
      }
      const next = Math.min(...[...this.#later, ...this.#rung].map(({ due }) => due));
      const at = Math.max(next, this.clock.now() + POLL);
      if (next > Math.max(end, this.clock.now() + WINDOW)) return;
      this.clock.advance(at - this.clock.now());
    }
    throw new Error('not settled');
  }

  /** Does the work that is due within this many milliseconds. At least that much time passes. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.clock.now() + milliseconds;
    while (this.clock.now() < end) {
      await this.#step();
      this.clock.advance(POLL);
    }
  }

  /** Watches of this many seconds without events, in an environment of the API server that has served other watches before. */
  async watch(paths: readonly string[], seconds: number): Promise<Tally> {
    const { server, storage } = this.#openFront();
    for (const _ of ['begins', 'is warm']) {
      this.#counter.take();
      storage.taken();
      const read: Promise<number>[] = [];
      for (const path of paths) read.push(bytesOf(await openWatch(server, path, seconds))); // concurrent requests could compete for a slot
      await passSeconds(this.clock, seconds + 1);
      this.#counter.add('kilobytes sent', (await Promise.all(read)).reduce((all, bytes) => all + bytes, 0) / 1000);
    }
    this.#counter.add('apiserver: invocations', paths.length);
    this.#counter.addCalls('apiserver', storage.taken());
    return this.#counter.take();
  }

  #asked<T>(answer: T): T {
    this.#counter.add('key requests');
    return answer;
  }

  #count(name: FunctionName, storage: ReturnType<typeof openStorage>): void {
    this.#counter.add(`${name}: invocations`);
    this.#counter.addCalls(name, storage.taken());
  }

  /** Advances the clock by one request. Concurrent requests only advance it once. */
  async #passRequest(): Promise<void> {
    if (this.#stands) return;
    this.clock.advance(REQUEST);
    if (this.clock.now() < this.#polled + POLL) return;
    await this.#step();
  }

  /** Does one step. Returns whether there was any work. */
  async #step(): Promise<boolean> {
    this.#polled = this.clock.now();
    this.#stands = true;
    try {
      return await this.#doDue();
    } finally {
      this.#stands = false;
    }
  }

  async #doDue(): Promise<boolean> {
    const rung = [...this.#committed];
    this.#committed.clear();
    if (rung.length > 0) {
      const { lag, faults } = await this.#doorbell.stream.handle({ ring: rung }, { hasTime: () => true });
      if (faults.length > 0 || lag > 0) throw new Error(`the doorbell: ${lag}`, { cause: faults[0]?.error });
      this.#count('doorbell', this.#doorbell.storage);
    }
    const now = this.clock.now();
    const batch = this.#requests.splice(0, BATCH);
    if (batch.length > 0) await this.#work(batch);
    const waited = takeDue(this.#later, now).filter((message) => !this.#isIgnored(message));
    for (let i = 0; i < waited.length; i += BATCH) await this.#forward(waited.slice(i, i + BATCH));
    const look = takeDue(this.#rung, now);
    if (look.length > 0) await this.#look(look);
    return rung.length + batch.length + waited.length + look.length > 0;
  }

  async #work(batch: readonly ReconcileMessage[]): Promise<void> {
    this.#counter.add('FIFO requests', 2); // one to receive and one to delete them all
    const { builtIns, storage } = this.#reconcilers;
    const returned = await work(batch.map(delivered), builtIns, this.#ports());
    if (returned.length > 0) throw new Error('a message came back');
    this.#count('reconcilers', storage);
  }

  async #forward(batch: readonly ReconcileMessage[]): Promise<void> {
    this.#counter.add('queue requests', 2);
    await forward(batch.map(delivered), this.#ports());
    this.#count('reconcilers', this.#reconcilers.storage);
  }

  #isIgnored({ reconciler }: ReconcileMessage): boolean {
    return reconciler === 'node-lifecycle' && !this.losesNodes;
  }

  #ports(): Omit<BatchPorts, 'workerOf'> {
    return {
      clock: this.clock,
      known: this.#reconcilers.known,
      deadline: this.clock.monotonic() + 1, // this clock does not advance during work
      maxAttempts: 10,
      random: () => 0,
      nonce: () => String(this.clock.now()),
      onError: (_, error) => {
        if (!(error instanceof StatusError) || error.reason !== 'Conflict') throw error;
      },
      queues: {
        send: async (message) => {
          this.#counter.add('FIFO requests');
          this.#requests.push(message);
        },
        later: async (message, milliseconds) => {
          if (this.#isIgnored(message)) return;
          if (milliseconds > 900_000) this.#counter.add('schedules');
          else this.#counter.add('queue requests');
          this.#later.push({ due: this.clock.now() + milliseconds, message });
        },
        deadLetter: async (_, reason) => {
          throw new Error(`a dead letter: ${reason}`);
        },
      },
    };
  }

  async #look(bodies: readonly string[]): Promise<void> {
    this.#counter.add('queue requests', 2 * Math.ceil(bodies.length / BATCH));
    const { client, storage } = this.#scheduler;
    const identity = `look-${++this.#looks}`;
    const { clock } = this;
    const reportFault = (error: unknown): never => {
      throw error;
    };
    await scheduleOnce({
      client,
      clock,
      identity,
      schedulerNames: new Set(['default-scheduler']),
      ...defined({ after: looksToCheck({ Records: bodies.map((body) => ({ body })) }) }),
      schedule: (fenced, lost) => scheduleAll({ client: fenced, clock, random: () => 0, reportFault }, lost),
      lookIn: async (milliseconds, after) => this.#ring(wordText(after, identity), milliseconds),
      lookAt: async (at) => {
        this.#counter.add('schedules');
        this.#ring(wordText(undefined, identity), at - clock.now());
      },
      reportFault,
    });
    this.#count('scheduler', storage);
  }

  #ring(body: string, milliseconds: number): void {
    this.#counter.add('queue requests');
    this.#rung.push({ due: this.clock.now() + Math.max(milliseconds, WINDOW), message: body });
  }

  #openFront() {
    const storage = openStorage(this.#shared);
    const users = ['n1'].map((node) => `system:node:${node}`);
    const members = [
      ['admin', { name: 'admin', groups: ['system:masters', 'system:authenticated'] }] as const,
      ...users.map((name) => [name, { name, groups: ['system:nodes', 'system:authenticated'] }] as const),
    ];
    const server = openServer(storage, this.clock, members, gatewayBackends(storage.table, this.clock));
    return { storage, server };
  }

  #openDoorbell(): { readonly stream: Stream; readonly storage: ReturnType<typeof openStorage> } {
    const storage = openStorage(this.#shared);
    const { clock } = this;
    const stream = buildStream({
      store: storage.store,
      clock,
      clusterId: 'davit',
      publish: [],
      reconcilers: [builtInHop],
      deadLetters: new MemoryDeadLetters(),
      bus: countedSink({
        clock,
        group: eventGroup,
        onRequest: (events) => {
          this.#counter.add('events', events.length);
          for (const detail of events)
            for (const rule of RULES) if (matches(rule, detail)) this.#ring(JSON.stringify(detail), 0);
        },
      }),
      queue: countedSink({
        clock,
        group: (message: ReconcileMessage) => groupId(message),
        onRequest: (messages) => {
          this.#counter.add('FIFO requests');
          this.#requests.push(...messages);
        },
      }),
    });
    return { stream, storage };
  }

  #openReconcilers() {
    const storage = openStorage(this.#shared);
    const tokens = new ControllerTokens();
    const server = openServer(storage, this.clock, tokens.users());
    const events = new EventCorrelator(this.clock);
    const { store, index } = storage;
    const options = { authority: 'PEM', address: ADDRESS, events, clock: this.clock, index, ...CONTROLLERS };
    const make = () => builtInReconcilers(server, tokens, options);
    const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'davit' });
    const builtIns: BuiltIns = { make, lasting: make(), off: new Set(), store, index, client };
    return { storage, builtIns, known: new KnownVersions() };
  }

  #openScheduler() {
    const storage = openStorage(this.#shared);
    const { handle } = openServer(storage, this.clock, [['scheduler', SCHEDULER_USER]]);
    return { storage, client: schedulerClient({ handle, token: 'scheduler' }) };
  }
}

const delivered = (message: ReconcileMessage, i: number) => ({ id: String(i), body: encodeMessage(message) });
