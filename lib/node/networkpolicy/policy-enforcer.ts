import type { Namespace, Pod } from '#lib/api/types/core.v1.ts';
import type { NetworkPolicy } from '#lib/api/types/networking.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Nftables } from '#lib/node/nftables/nftables.ts';
import { BoundedFrequencyRunner } from '#lib/node/nftables/runner.ts';
import { TableSync } from '#lib/node/nftables/table-sync.ts';
import { nodeTable } from './nftables/node-table.ts';
import { TABLE } from './nftables/table.ts';
import { PolicyIndex } from './policy-index.ts';
import { RuntimeAddresses } from './runtime-addresses.ts';

/** The minimum and maximum time in ms between two syncs. */
const MIN_SYNC = 1000;
const FULL_SYNC = 3_600_000;
/** The delay in ms before a failed sync is retried. It doubles up to one second. */
const RETRY = 1000;
const MAX_RETRY = 30_000;
/** The time in ms after which empty chains can be removed. */
const STALE = 1200;
/** The time in ms that a pod waits for its rules before its sync fails. */
const ADMISSION = 30_000;

/** The ports and settings of a PolicyEnforcer. */
export interface PolicyEnforcerOptions {
  readonly node: string;
  readonly nftables: Nftables;
  readonly clock: Clock;
  onFault(what: string, error: unknown): void;
}

interface Waiter {
  readonly change: number;
  readonly enforced: AbortController;
}

/** Keeps the table of a node in sync with the policies, namespaces and pods of the API. */
export class PolicyEnforcer {
  readonly #options: PolicyEnforcerOptions;
  readonly #index = new PolicyIndex();
  readonly #runtime: RuntimeAddresses;
  readonly #sync: TableSync;
  readonly #runner: BoundedFrequencyRunner;
  readonly #listed = { pods: false, namespaces: false, policies: false };
  readonly #waiters = new Set<Waiter>();
  /** The number of changes so far, and how many of them the kernel's table contains. */
  #changes = 0;
  #enforced = -1;

  constructor(options: PolicyEnforcerOptions) {
    const { node, nftables, clock, onFault } = options;
    this.#options = options;
    this.#runtime = new RuntimeAddresses(node);
    const onCleanupFault = (error: unknown): void => onFault('cannot remove rules of network policies', error);
    this.#sync = new TableSync({ nftables, clock, table: TABLE, onCleanupFault });
    this.#runner = new BoundedFrequencyRunner({
      clock,
      minInterval: MIN_SYNC,
      maxInterval: FULL_SYNC,
      retryInterval: RETRY,
      maxRetryInterval: MAX_RETRY,
      work: () => this.#enforce(),
      onFault: (error) => onFault('cannot write the rules of network policies', error),
    });
  }

  /** Whether the kernel has the table, as far as this process knows. */
  get isApplied(): boolean {
    return this.#sync.isApplied;
  }

  /** Handles a new or changed pod. */
  putPod(pod: Pod): void {
    this.#index.putPod(this.#runtime.told(pod));
    this.#changed();
  }

  /** Handles the deletion of a pod. */
  deletePod(namespace: string, name: string): void {
    const other = this.#runtime.gone(namespace, name);
    if (other === undefined) this.#index.deletePod(namespace, name);
    else this.#index.putPod(other);
    this.#changed();
  }

  /** Handles a new or changed namespace. */
  putNamespace(namespace: Namespace): void {
    this.#index.putNamespace(namespace);
    this.#changed();
  }

  /** Handles the deletion of a namespace. */
  deleteNamespace(name: string): void {
    this.#index.deleteNamespace(name);
    this.#changed();
  }

  /** Handles a new or changed policy. */
  putPolicy(policy: NetworkPolicy): void {
    this.#index.putPolicy(policy);
    this.#changed();
  }

  /** Handles the deletion of a policy. */
  deletePolicy(namespace: string, name: string): void {
    this.#index.deletePolicy(namespace, name);
    this.#changed();
  }

  /** Records that all objects of a type have been listed. The table does not change before all three types are. */
  listed(what: 'pods' | 'namespaces' | 'policies'): void {
    if (what === 'pods')
      for (const { metadata } of this.#runtime.listed()) this.deletePod(metadata.namespace ?? '', metadata.name ?? '');
    this.#listed[what] = true;
    this.#changed();
  }

  /** Handles the external removal of the table: it is rewritten. */
  removed(): void {
    this.#sync.reset();
    this.#enforced = -1;
    this.#changed();
  }

  /**
   * Resolves when the kernel enforces the policies for a pod of this node at these addresses. These addresses apply until the API reports
   * the pod's addresses. Rejects with an Error after a time-out or if the signal aborts.
   */
  async admit(pod: Pod, ips: readonly string[], signal?: AbortSignal): Promise<void> {
    if (pod.spec.hostNetwork === true) return;
    const overlaid = this.#runtime.put(pod, ips);
    if (overlaid !== undefined) {
      this.#index.putPod(overlaid);
      this.#changed();
    }
    if (this.#enforced >= this.#changes) return;
    const waiter = { change: this.#changes, enforced: new AbortController() };
    this.#waiters.add(waiter);
    const ends = [waiter.enforced.signal, ...(signal === undefined ? [] : [signal])];
    await this.#options.clock.sleep(ADMISSION, AbortSignal.any(ends));
    this.#waiters.delete(waiter);
    if (waiter.enforced.signal.aborted) return;
    signal?.throwIfAborted();
    throw new Error('the network policies are not enforced for the pod yet');
  }

  /** Enforces the policies until the signal aborts. The table stays after that. */
  run(signal: AbortSignal): Promise<void> {
    return this.#runner.run(signal);
  }

  #changed(): void {
    this.#changes++;
    const { pods, namespaces, policies } = this.#listed;
    if (pods && namespaces && policies) this.#runner.trigger();
  }

  async #enforce(): Promise<number | undefined> {
    const changes = this.#changes;
    this.#enforced = -1;
    await this.#sync.sync(nodeTable(this.#index, this.#options.node));
    this.#enforced = changes;
    for (const { change, enforced } of this.#waiters) if (change <= changes) enforced.abort();
    return this.#sync.hasStale ? STALE : undefined;
  }
}
