import { NODES } from '#lib/api/types/resources.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset, type Clientset } from '#lib/client/clientset.ts';
import { ignore } from '#lib/client/ignore.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { changedDefaultLabels, initialNode, type Registration } from './initial-node.ts';
import { nodeStatusHasChanged } from './nodestatus/has-changed.ts';
import { setNodeStatus, type NodeFacts } from './nodestatus/set-node-status.ts';

/** The share by which looks are later. Upstream's. */
const JITTER = 0.04;
/** Attempts at one report. */
const RETRIES = 5;
/** Milliseconds until registration is tried again: at first and at most. */
const REGISTRATION = { first: 100, most: 7000 } as const;

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
  /** The Node as the server has it, at each report. */
  seen?(node: Node): void;
  /** The node is registered. */
  registered(): void;
  /** An attempt failed, and is repeated. */
  onFault(error: unknown): void;
}

/** Registers a node, then reports its status where it changed at a look, and else when a report is due, until the signal aborts. */
export async function syncNodeStatus(options: NodeStatusOptions, signal: AbortSignal): Promise<void> {
  const { clock, random, updateFrequency } = options;
  await register(options, signal);
  const reporter = new Reporter(options);
  while (!signal.aborted) {
    await reporter.update(signal);
    await clock.sleep(updateFrequency * (1 + JITTER * random()), signal);
  }
}

async function register(options: NodeStatusOptions, signal: AbortSignal): Promise<void> {
  const { clock, onFault, registered } = options;
  for (let wait: number = REGISTRATION.first; !signal.aborted; wait = Math.min(REGISTRATION.most, wait * 2)) {
    try {
      await tryRegister(options);
      return registered();
    } catch (error) {
      if (!signal.aborted) onFault(error);
    }
    await clock.sleep(wait, signal);
  }
}

/** Creates the Node, or corrects the labels of the one that is there. */
async function tryRegister({ client, clock, node, registration, facts }: NodeStatusOptions): Promise<void> {
  const typed = clientset(client);
  const initial = initialNode(await facts(), registration, new Date(clock.now()));
  if ((await typed.create(NODES, initial).catch(ignore('AlreadyExists'))) !== undefined) return;
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
  /** Monotonic milliseconds of the next report without a change; undefined before the first. */
  #due: number | undefined;

  constructor(options: NodeStatusOptions) {
    this.#options = options;
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

  /** `cached`: a Node that the server has in memory will do, as the first attempt of upstream reads its own cache. */
  async #tryUpdate(cached: boolean): Promise<void> {
    const { clock, facts, node, random, reportFrequency } = this.#options;
    const ref = { resource: NODES, namespace: '', name: node };
    const before = await this.#client.get(ref, { cached });
    if (before === undefined) throw new Error(`error getting node "${node}": it is not there`);
    this.#options.seen?.(before);
    const after: Node = clone(before);
    setNodeStatus(after, await facts(), new Date(clock.now()));
    const isChanged = nodeStatusHasChanged(before.status, after.status);
    const isFirst = this.#due === undefined;
    if (!isChanged && this.#due !== undefined && clock.monotonic() < this.#due) return;
    await this.#client.update(ref, after, 'status');
    const delay = isChanged || isFirst ? reportFrequency * (random() - 0.5) : 0; // nodes that change together do not go on together
    this.#due = clock.monotonic() + reportFrequency + delay;
  }
}
