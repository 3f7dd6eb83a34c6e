import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import type { IPFamily } from './types.ts';

/** `count` numbers starting at `first`, in increments of `step`. */
const linear = (first: number, step: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => first + i * step);
/** The buckets from 1 ms to 16 s, each twice the previous one. */
const DURATIONS = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i);
const PROGRAMMING = [...linear(0.25, 0.25, 2), ...linear(1, 1, 59), ...linear(60, 5, 12), ...linear(120, 30, 7)];
const FAMILY = ['ip_family'];

const histogram = (name: string, help: string, buckets = DURATIONS): Histogram =>
  new Histogram({ name: `kubeproxy_${name}`, help, labels: FAMILY, buckets });
const value = (type: 'counter' | 'gauge', name: string, help: string, labels: readonly string[] = FAMILY): Value =>
  new Value({ type, name: `kubeproxy_${name}`, help, labels });

/** kube-proxy's metrics in nftables mode, with upstream's names (upstream: pkg/proxy/metrics). */
export class ProxyMetrics implements Collector {
  readonly syncSeconds = histogram('sync_proxy_rules_duration_seconds', 'Time of a sync of the rules');
  readonly fullSyncSeconds = histogram('sync_full_proxy_rules_duration_seconds', 'Time of a sync of all rules');
  readonly partialSyncSeconds = histogram(
    'sync_partial_proxy_rules_duration_seconds',
    'Time of a sync of the rules that differ',
  );
  readonly programmingSeconds = histogram(
    'network_programming_duration_seconds',
    'Time from a change of a pod or Service to the rules that follow from it',
    PROGRAMMING,
  );
  readonly lastSync = value('gauge', 'sync_proxy_rules_last_timestamp_seconds', 'Time of the last sync that succeeded');
  readonly lastQueued = value(
    'gauge',
    'sync_proxy_rules_last_queued_timestamp_seconds',
    'Time of the last change that asked for a sync',
  );
  readonly serviceChanges = value('counter', 'sync_proxy_rules_service_changes_total', 'Changes of Services', []);
  readonly serviceChangesPending = value(
    'gauge',
    'sync_proxy_rules_service_changes_pending',
    'Changes of Services that wait for a sync',
    [],
  );
  readonly endpointChanges = value(
    'counter',
    'sync_proxy_rules_endpoint_changes_total',
    'Changes of EndpointSlices',
    [],
  );
  readonly endpointChangesPending = value(
    'gauge',
    'sync_proxy_rules_endpoint_changes_pending',
    'Changes of EndpointSlices that wait for a sync',
    [],
  );
  readonly noLocalEndpoints = value(
    'gauge',
    'sync_proxy_rules_no_local_endpoints_total',
    'Ports of Services with the policy Local that have endpoints, but none on this node',
    ['traffic_policy', 'ip_family'],
  );
  readonly syncFailures = value(
    'counter',
    'sync_proxy_rules_nftables_sync_failures_total',
    'Transactions that the kernel refused',
  );
  readonly cleanupFailures = value(
    'counter',
    'sync_proxy_rules_nftables_cleanup_failures_total',
    'Removals of empty chains that the kernel refused',
  );
  readonly conntrackSeconds = histogram(
    'conntrack_reconciler_sync_duration_seconds',
    'Time of a search for flows to endpoints that are gone',
  );
  readonly deletedFlows = value(
    'counter',
    'conntrack_reconciler_deleted_entries_total',
    'Flows to endpoints that are gone which the kernel was told to forget',
  );
  readonly healthz = value('counter', 'proxy_healthz_total', 'Answers of /healthz', ['code']);
  readonly livez = value('counter', 'proxy_livez_total', 'Answers of /livez', ['code']);

  collect(): readonly Family[] {
    const values = [this.lastSync, this.lastQueued, this.serviceChanges, this.serviceChangesPending];
    const endpoints = [this.endpointChanges, this.endpointChangesPending, this.noLocalEndpoints];
    const failures = [this.syncFailures, this.cleanupFailures, this.deletedFlows, this.healthz, this.livez];
    const seconds = [this.syncSeconds, this.fullSyncSeconds, this.partialSyncSeconds, this.programmingSeconds];
    return [...values, ...endpoints, ...failures, ...seconds, this.conntrackSeconds].flatMap((one) => one.collect());
  }

  /** Records the end of a sync of a family and its duration in ms. */
  synced(family: IPFamily, isFull: boolean, milliseconds: number): void {
    const seconds = milliseconds / 1000;
    this.syncSeconds.observe(seconds, [family]);
    (isFull ? this.fullSyncSeconds : this.partialSyncSeconds).observe(seconds, [family]);
  }
}
