import type { Clock } from '#lib/machinery/clock.ts';
import type { Nftables } from '#lib/node/nftables/nftables.ts';
import type { TableName } from '#lib/node/nftables/table.ts';
import { TableSync } from '#lib/node/nftables/table-sync.ts';
import { type Conntrack, staleFlows } from '../conntrack/cleanup.ts';
import { type HealthCheckPorts, healthCheckNodePorts, localReadyEndpoints } from '../healthcheck/service-health.ts';
import type { ProxyMetrics } from '../metrics.ts';
import type { IPFamily, ServiceName } from '../types.ts';
import { type Proxier, TABLE } from './proxier.ts';

/** The ports that a sync of a family's rules writes to. */
export interface ProxierPorts {
  readonly nftables: Nftables;
  readonly conntrack: Conntrack;
  readonly clock: Clock;
  readonly metrics: ProxyMetrics;
  /** Serves the health check node ports of the family. */
  readonly healthPorts: HealthCheckPorts;
  /** Reports a failure that does not prevent the rules from being written. */
  onFault(what: string, error: unknown): void;
}

/** The table name of a family. */
export const tableOf = (family: IPFamily): TableName => ({ family: family === 'IPv4' ? 'ip' : 'ip6', name: TABLE });

/**
 * Writes the rules of a family to the kernel, cleans up stale UDP flows and updates the health check node ports (upstream: syncProxyRules).
 */
export class ProxierSync {
  readonly proxier: Proxier;
  readonly #ports: ProxierPorts;
  readonly #table: TableSync;
  #localReady: ReadonlyMap<ServiceName, number> = new Map();

  constructor(proxier: Proxier, ports: ProxierPorts) {
    this.proxier = proxier;
    this.#ports = ports;
    this.#table = new TableSync({
      nftables: ports.nftables,
      clock: ports.clock,
      table: tableOf(proxier.family),
      onCleanupFault: (error) => {
        ports.metrics.cleanupFailures.add(1, [proxier.family]);
        ports.onFault(`cannot remove empty chains of ${proxier.family}`, error);
      },
    });
  }

  /** Whether to sync again after a second to remove stale chains. */
  get hasStale(): boolean {
    return this.#table.hasStale;
  }

  /** Whether the kernel has the rules of the last sync, as far as this process knows. */
  get isApplied(): boolean {
    return this.#table.isApplied;
  }

  /** Makes the next sync write every rule. */
  reset(): void {
    this.#table.reset();
  }

  /** The number of ready endpoints of a Service on this node at the last sync. */
  localReady(service: ServiceName): number {
    return this.#localReady.get(service) ?? 0;
  }

  /** Applies the currently wanted rules. Rejects if the kernel refuses them. Only one call may run at a time. */
  async sync(): Promise<void> {
    const { clock, metrics } = this.#ports;
    const { family } = this.proxier;
    const began = clock.monotonic();
    const table = this.proxier.table();
    const udpChanged = this.proxier.takeUDPChange();
    const isFull = !this.#table.isApplied;
    try {
      await this.#table.sync(table);
    } catch (error) {
      metrics.syncFailures.add(1, [family]);
      this.proxier.keepUDPChange();
      throw error;
    } finally {
      metrics.synced(family, isFull, clock.monotonic() - began);
    }
    metrics.lastSync.set(clock.now() / 1000, [family]);
    for (const policy of ['internal', 'external'] as const)
      metrics.noLocalEndpoints.set(this.proxier.lacking(policy), [policy, family]);
    await this.#syncHealthPorts();
    if (udpChanged) await this.#cleanFlows();
  }

  async #syncHealthPorts(): Promise<void> {
    const forwarded = [...this.proxier.forwarded()];
    this.#localReady = localReadyEndpoints(forwarded);
    await this.#ports.healthPorts.sync(healthCheckNodePorts(forwarded));
  }

  /** Deletes stale UDP flows. The kernel sends all packets of a flow to the same endpoint, and a UDP flow never closes. */
  async #cleanFlows(): Promise<void> {
    const { conntrack, clock, metrics, onFault } = this.#ports;
    const { family } = this.proxier;
    const began = clock.monotonic();
    try {
      const stale = staleFlows(await conntrack.list(family), this.proxier.forwarded());
      await conntrack.delete(family, stale);
      metrics.deletedFlows.add(stale.length, [family]);
    } catch (error) {
      this.proxier.keepUDPChange();
      onFault(`cannot forget flows of UDP to endpoints that are gone (${family})`, error);
    }
    metrics.conntrackSeconds.observe((clock.monotonic() - began) / 1000, [family]);
  }
}
