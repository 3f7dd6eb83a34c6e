import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { ignore } from '#lib/client/ignore.ts';
import { nodeStatusHasChanged } from '#lib/helpers/component-helpers/node/status-has-changed.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { changedDefaultLabels, initialNode, type Registration } from './initial-node.ts';
import { type NodeFacts, setNodeStatus } from './nodestatus/set-node-status.ts';
import { type NodeEvent, NodeStatusEvents } from './nodestatus/status-events.ts';
import { StatusTrigger } from './nodestatus/status-trigger.ts';

/** The share by which looks are later. Upstream's. */
const JITTER = 0.04;
/** Attempts at one report. */
const RETRIES = 5;
/** Milliseconds until registration is tried again: at first and at most. */
const REGISTRATION = { first: 100, most: 7000 } as const;
const STARTING: NodeEvent = { type: 'Normal', reason: 'Starting', message: 'Starting kubelet.' };

/** The ports of a node's status. */
export interface NodeStatusOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly node: string;
  readonly registration: Registration;
  /** Milliseconds between looks at the machine. */
  readonly updateFrequency: number;
  /** Milliseconds between reports without a change. */
  readonly reportFrequency: number;
  /** Draws a number from 0 to below 1. */
  random(): number;
  /** The machine as it is now. */
  facts(): Promise<NodeFacts>;
  /** Changes that are reported before the next look; absent: they wait for it. */
  readonly trigger?: StatusTrigger;
  /** Tells an event about the node. */
  event?(event: NodeEvent): void;
  /** Whether the Node at this version is the newest, as far as is told of it: it need not be read. Absent: nothing tells, and each look reads it. */
  isNewest?(version: string): boolean;
  /** The Node as it was just read or written. */
  seen?(node: Node): void;
  /** The node is registered. */
  registered(): void;
  /** An attempt failed, and is repeated. */
  onFault(error: unknown): void;
}

/** Registers a node, then reports its status where it changed at a look, and else when a report is due, until the signal aborts. */
export async function syncNodeStatus(options: NodeStatusOptions, signal: AbortSignal): Promise<void> {
  const { clock, random, updateFrequency, trigger = new StatusTrigger() } = options;
  const events = new NodeStatusEvents();
  options.event?.(STARTING);
  await register(options, events, signal);
  const reporter = new Reporter(options, events);
  while (!signal.aborted) {
    await reporter.update(signal);
    await trigger.wait(clock, updateFrequency * (1 + JITTER * random()), signal);
  }
}

async function register(options: NodeStatusOptions, events: NodeStatusEvents, signal: AbortSignal): Promise<void> {
  const { clock, onFault, registered } = options;
  for (let wait: number = REGISTRATION.first; !signal.aborted; wait = Math.min(REGISTRATION.most, wait * 2)) {
    try {
      await tryRegister(options, events);
      return registered();
    } catch (error) {
      if (!signal.aborted) onFault(error);
    }
    await clock.sleep(wait, signal);
  }
}

/** Creates the Node, or corrects the labels of the one that is there. */
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

/** Reports a status where it changed or is due. */
class Reporter {
  readonly #options: NodeStatusOptions;
  readonly #client: Clientset;
  readonly #events: NodeStatusEvents;
  /** Monotonic milliseconds of the next report without a change; undefined before the first. */
  #due: number | undefined;
  /** The Node as it was read or written last. */
  #last: Node | undefined;

  constructor(options: NodeStatusOptions, events: NodeStatusEvents) {
    this.#options = options;
    this.#events = events;
    this.#client = clientset(options.client);
  }

  /** Tries up to five times; that others write the Node meanwhile is usual and no fault. Does not reject. */
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

  /** `cached`: a Node that is known or that the server has in memory will do, as the first attempt of upstream reads its own cache. */
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
    const delay = isChanged || isFirst ? reportFrequency * (random() - 0.5) : 0; // nodes that change together do not go on together
    this.#due = clock.monotonic() + reportFrequency + delay;
    this.#tell(before, written);
  }

  /** Without a change of the status its spec can have one. */
  #tell({ status }: Node, now: Node): void {
    const { event, seen } = this.#options;
    this.#last = now;
    for (const told of this.#events.between(status, now)) event?.(told);
    seen?.(now);
  }

  /** The Node without a read, where nobody has told of a newer one. */
  #known(): Node | undefined {
    const version = this.#last?.metadata.resourceVersion;
    return version !== undefined && this.#options.isNewest?.(version) === true ? this.#last : undefined;
  }
}
