import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { ignore } from '#lib/client/ignore.ts';
import { nodeStatusHasChanged } from '#lib/helpers/component-helpers/node/status-has-changed.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { jitter } from '#lib/machinery/wait/jitter.ts';
import { changedDefaultLabels, initialNode, type Registration } from './initial-node.ts';
import { type NodeFacts, setNodeStatus } from './nodestatus/set-node-status.ts';
import { type NodeEvent, NodeStatusEvents } from './nodestatus/status-events.ts';
import { StatusTrigger } from './nodestatus/status-trigger.ts';

/** The jitter of the update period, the same as upstream's. */
const JITTER = 0.04;
/** Maximum number of attempts for one report. */
const RETRIES = 5;
/** Delay in ms until the registration is retried. */
const REGISTRATION = { duration: 100, factor: 2, cap: 7000 };
const STARTING: NodeEvent = { type: 'Normal', reason: 'Starting', message: 'Starting kubelet.' };

/** The ports of a node's status. */
export interface NodeStatusOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly node: string;
  readonly registration: Registration;
  /** Interval in ms between checks of the machine. */
  readonly updateFrequency: number;
  /** Interval in ms between reports without a change. */
  readonly reportFrequency: number;
  /** Returns a random number in [0, 1). */
  random(): number;
  /** The current facts about the machine. */
  facts(): Promise<NodeFacts>;
  /** Triggers a report before the next check. If absent, changes wait for the next check. */
  readonly trigger?: StatusTrigger;
  /** Records an event about the node. */
  event?(event: NodeEvent): void;
  /** Whether no newer version of the Node is known, so it need not be read. If absent, each check reads the Node. */
  isNewest?(version: string): boolean;
  /** Called with the Node that was just read or written. */
  seen?(node: Node): void;
  /** Called when the node is registered. */
  registered(): void;
  /** Called when an attempt fails. The attempt is retried. */
  onFault(error: unknown): void;
}

/** Registers a node, then reports its status until the signal aborts. It reports when a check finds a change or when a report is due. */
export async function syncNodeStatus(options: NodeStatusOptions, signal: AbortSignal): Promise<void> {
  const { clock, random, updateFrequency, trigger = new StatusTrigger() } = options;
  const events = new NodeStatusEvents();
  options.event?.(STARTING);
  await register(options, events, signal);
  const reporter = new Reporter(options, events);
  while (!signal.aborted) {
    await reporter.update(signal);
    await trigger.wait(clock, jitter(updateFrequency, JITTER, random), signal);
  }
}

async function register(options: NodeStatusOptions, events: NodeStatusEvents, signal: AbortSignal): Promise<void> {
  const { clock, onFault, registered } = options;
  for (let failures = 1; !signal.aborted; failures++) {
    try {
      await tryRegister(options, events);
      return registered();
    } catch (error) {
      if (!signal.aborted) onFault(error);
    }
    await clock.sleep(delayAfter(failures, REGISTRATION), signal);
  }
}

/** Creates the Node, or corrects the labels of the existing one. */
async function tryRegister(options: NodeStatusOptions, events: NodeStatusEvents): Promise<void> {
  const { client, clock, node, registration, facts, event, seen } = options;
  const typed = clientset(client);
  const initial = initialNode(await facts(), registration, new Date(clock.now()));
  const created = await typed.create(NODES, initial).catch(ignore('AlreadyExists'));
  for (const told of events.between({ nodeInfo: initial.status.nodeInfo }, initial)) event?.(told);
  if (created !== undefined) return seen?.(created);
  const ref = { resource: NODES, namespace: '', name: node };
  const existing = await typed.get(ref);
  if (existing === undefined) throw new Error(`node ${node} is gone again`);
  const changed = changedDefaultLabels(initial, existing);
  if (Object.keys(changed).length > 0) await typed.patch(ref, { metadata: { labels: changed } });
}

/** Reports a status if it changed or if a report is due. */
class Reporter {
  readonly #options: NodeStatusOptions;
  readonly #client: Clientset;
  readonly #events: NodeStatusEvents;
  /** Monotonic time in ms of the next report without a change, or undefined before the first report. */
  #due: number | undefined;
  /** The Node as it was last read or written. */
  #last: Node | undefined;

  constructor(options: NodeStatusOptions, events: NodeStatusEvents) {
    this.#options = options;
    this.#events = events;
    this.#client = clientset(options.client);
  }

  /** Makes up to five attempts. Conflicts with other writers of the Node are normal and not reported. Does not reject. */
  async update(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < RETRIES && !signal.aborted; attempt++) {
      try {
        return await this.#tryUpdate(attempt === 0);
      } catch (error) {
        const isStale = error instanceof StatusError && error.reason === 'Conflict';
        if (!signal.aborted && !(isStale && attempt < RETRIES - 1)) this.#options.onFault(error);
      }
    }
  }

  /** With `cached`, it may use a known Node or the server's cached one. Upstream's first attempt also reads a cache. */
  async #tryUpdate(cached: boolean): Promise<void> {
    const { clock, facts, node, random, reportFrequency } = this.#options;
    const ref = { resource: NODES, namespace: '', name: node };
    const before = cached ? (this.#known() ?? (await this.#client.get(ref, { cached }))) : await this.#client.get(ref);
    if (before === undefined) throw new Error(`error getting node "${node}": it is not there`);
    this.#options.seen?.(before);
    const after: Node = clone(before);
    setNodeStatus(after, await facts(), new Date(clock.now()));
    const isChanged = nodeStatusHasChanged(before.status, after.status);
    const isFirst = this.#due === undefined;
    if (!isChanged && this.#due !== undefined && clock.monotonic() < this.#due) return this.#tell(before, before);
    const written = await this.#client.update(ref, after, 'status');
    const delay = isChanged || isFirst ? reportFrequency * (random() - 0.5) : 0; // spreads out the reports of nodes that change together
    this.#due = clock.monotonic() + reportFrequency + delay;
    this.#tell(before, written);
  }

  /** The spec can change even if the status does not. */
  #tell({ status }: Node, now: Node): void {
    const { event, seen } = this.#options;
    this.#last = now;
    for (const told of this.#events.between(status, now)) event?.(told);
    seen?.(now);
  }

  /** The last Node, without a read, if no newer version has been reported. */
  #known(): Node | undefined {
    const version = this.#last?.metadata.resourceVersion;
    return version !== undefined && this.#options.isNewest?.(version) === true ? this.#last : undefined;
  }
}
