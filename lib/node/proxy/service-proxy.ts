import type { Service } from '#lib/api/types/core.v1.ts';
import type { EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { BoundedFrequencyRunner } from '#lib/node/nftables/runner.ts';
import { ProxyHealth } from './healthcheck/proxy-health.ts';
import type { HealthCheckPorts } from './healthcheck/service-health.ts';
import { type NodeSettings, Proxier } from './nftables/proxier.ts';
import { type ProxierPorts, ProxierSync } from './nftables/proxier-sync.ts';
import { ServiceState } from './service-state.ts';
import type { IPFamily, ServiceName } from './types.ts';

/** The minimum and maximum time in ms between two syncs: kube-proxy's minSyncPeriod and its full sync. */
const MIN_SYNC = 1000;
const FULL_SYNC = 3_600_000;
/** The delay in ms before a failed sync is retried. It doubles up to kube-proxy's syncPeriod. */
const RETRY = 1000;
const MAX_RETRY = 30_000;
/** The time in ms after which empty chains can be removed. */
const STALE = 1200;
const TRIGGERED_AT = 'endpoints.kubernetes.io/last-change-trigger-time';

/** The ports of a Service proxy. */
export interface ServiceProxyOptions extends Omit<ProxierPorts, 'healthPorts'> {
  readonly families: readonly IPFamily[];
  settings(family: IPFamily): NodeSettings;
  healthPorts(family: IPFamily): HealthCheckPorts;
}

interface Triggered {
  readonly family: string;
  readonly at: number;
}

/** Keeps the rules of Services on a node in sync with the API (upstream: Proxier, MetaProxier). */
export class ServiceProxy {
  readonly health: ProxyHealth;
  readonly #options: ServiceProxyOptions;
  readonly #state = new ServiceState();
  readonly #families: readonly ProxierSync[];
  readonly #runner: BoundedFrequencyRunner;
  readonly #listed = { services: false, slices: false };
  readonly #began: number;
  /** The wall times of the changes that wait for a sync, by family. */
  #triggered: Triggered[] = [];
  #lastFull = -Infinity;

  constructor(options: ServiceProxyOptions) {
    const { clock, families, metrics } = options;
    this.#options = options;
    this.#began = clock.now();
    this.health = new ProxyHealth(clock, families);
    this.#families = families.map(
      (family) =>
        new ProxierSync(new Proxier(family, this.#state, options.settings(family)), {
          ...options,
          healthPorts: options.healthPorts(family),
        }),
    );
    this.#runner = new BoundedFrequencyRunner({
      clock,
      minInterval: MIN_SYNC,
      maxInterval: FULL_SYNC,
      retryInterval: RETRY,
      maxRetryInterval: MAX_RETRY,
      work: () => this.#sync(),
      onFault: (error) => options.onFault('cannot write the rules of Services', error),
    });
    for (const family of families) metrics.lastQueued.set(clock.now() / 1000, [family]);
  }

  /** Handles a new or changed Service. */
  putService(service: Service): void {
    this.#serviceChanged(this.#state.putService(service));
  }

  /** Handles the deletion of a Service. */
  deleteService(namespace: string, name: string): void {
    this.#serviceChanged(this.#state.deleteService(namespace, name));
  }

  /** Handles a new or changed slice. */
  putSlice(slice: EndpointSlice): void {
    const names = this.#state.putSlice(slice);
    const triggered = Date.parse(ownField(slice.metadata.annotations, TRIGGERED_AT) ?? '');
    if (names.length > 0 && triggered > this.#began) this.#triggered.push({ family: slice.addressType, at: triggered });
    this.#slicesChanged(names);
  }

  /** Handles the deletion of a slice. */
  deleteSlice(namespace: string, name: string): void {
    this.#slicesChanged(this.#state.deleteSlice(namespace, name));
  }

  /** Records that all Services, or all slices, have been listed. No rules are written before both are. */
  listed(what: 'services' | 'slices'): void {
    if (this.#listed[what]) return;
    this.#listed[what] = true;
    this.#queue();
  }

  /** Handles a change of the node or of the Service networks. */
  placed(): void {
    for (const { proxier } of this.#families) proxier.place(this.#options.settings(proxier.family));
    this.#queue();
  }

  /** Handles the external removal of a family's rules: they are rewritten. */
  removed(family: IPFamily): void {
    for (const one of this.#families) if (one.proxier.family === family) one.reset();
    this.#queue();
  }

  /** The families whose rules the kernel has, as far as this process knows. */
  syncedFamilies(): readonly IPFamily[] {
    return this.#families.filter(({ isApplied }) => isApplied).map(({ proxier }) => proxier.family);
  }

  /** The number of ready endpoints of a Service on this node in a family. */
  localReady(family: IPFamily, service: ServiceName): number {
    return this.#families.find(({ proxier }) => proxier.family === family)?.localReady(service) ?? 0;
  }

  /** Writes rules until the signal aborts. The rules stay after that. */
  run(signal: AbortSignal): Promise<void> {
    return this.#runner.run(signal);
  }

  #serviceChanged(name: ServiceName): void {
    const { metrics } = this.#options;
    metrics.serviceChanges.add(1);
    metrics.serviceChangesPending.add(1);
    this.#changed([name]);
  }

  #slicesChanged(names: readonly ServiceName[]): void {
    if (names.length === 0) return;
    const { metrics } = this.#options;
    metrics.endpointChanges.add(1);
    metrics.endpointChangesPending.add(1);
    this.#changed(names);
  }

  #changed(names: readonly ServiceName[]): void {
    for (const { proxier } of this.#families) for (const name of names) proxier.changed(name);
    this.#queue();
  }

  #queue(): void {
    if (!this.#listed.services || !this.#listed.slices) return;
    const { clock, metrics } = this.#options;
    for (const { proxier } of this.#families) {
      this.health.queued(proxier.family);
      metrics.lastQueued.set(clock.now() / 1000, [proxier.family]);
    }
    this.#runner.trigger();
  }

  /** Syncs all families, even if one fails. Returns when the next sync is due at the latest. */
  async #sync(): Promise<number | undefined> {
    const { clock } = this.#options;
    const triggered = this.#triggered;
    this.#triggered = [];
    this.#options.metrics.serviceChangesPending.set(0);
    this.#options.metrics.endpointChangesPending.set(0);
    if (clock.monotonic() - this.#lastFull >= FULL_SYNC) {
      for (const one of this.#families) one.reset();
      this.#lastFull = clock.monotonic();
    }
    const faults: unknown[] = [];
    for (const one of this.#families)
      await this.#syncFamily(one, triggered).catch((error: unknown) => void faults.push(error));
    if (faults.length > 0) throw faults[0];
    return this.#families.some(({ hasStale }) => hasStale) ? STALE : undefined;
  }

  async #syncFamily(one: ProxierSync, triggered: readonly Triggered[]): Promise<void> {
    const { family } = one.proxier;
    await one.sync();
    this.health.updated(family);
    const { clock, metrics } = this.#options;
    for (const { at } of triggered.filter((change) => change.family === family))
      metrics.programmingSeconds.observe((clock.now() - at) / 1000, [family]);
  }
}
