import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';

/** The default buckets of Prometheus' Go client, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of plugin runs and of the active configuration, with upstream's names. */
export class CredentialProviderMetrics implements Collector {
  readonly #errors = new Value({
    type: 'counter',
    name: 'kubelet_credential_provider_plugin_errors_total',
    help: 'Number of errors from credential provider plugin',
    labels: ['plugin_name'],
  });
  readonly #duration = new Histogram({
    name: 'kubelet_credential_provider_plugin_duration',
    help: 'Duration of execution in seconds for credential provider plugin',
    labels: ['plugin_name'],
    buckets: BUCKETS,
  });
  readonly #info = new Value({
    type: 'gauge',
    name: 'kubelet_credential_provider_config_info',
    help: 'Information about the last applied credential provider configuration with hash as label',
    labels: ['hash'],
  });

  /** `hash` is the hash of the configuration. */
  constructor(hash: string) {
    this.#info.set(1, [hash]);
  }

  /** Records a plugin run and its duration in ms. */
  ran(plugin: string, milliseconds: number, failed: boolean): void {
    this.#duration.observe(milliseconds / 1000, [plugin]);
    if (failed) this.#errors.add(1, [plugin]);
  }

  collect(): readonly Family[] {
    return [this.#errors, this.#duration, this.#info].flatMap((metric) => metric.collect());
  }
}
