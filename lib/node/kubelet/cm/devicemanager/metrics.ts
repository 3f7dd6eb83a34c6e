import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';

/** Counts plugin registrations and measures allocations, under upstream's metric names. */
export class DevicePluginMetrics implements Collector {
  readonly #registrations = new Value({
    type: 'counter',
    name: 'kubelet_device_plugin_registration_total',
    help: 'Registrations of device plugins by resource.',
    labels: ['resource_name'],
  });
  readonly #allocations = new Histogram({
    name: 'kubelet_device_plugin_alloc_duration_seconds',
    help: 'Seconds that a device plugin took to allocate devices.',
    labels: ['resource_name'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });

  registered(resource: string): void {
    this.#registrations.add(1, [resource]);
  }

  /** Records an allocation with its duration in milliseconds. */
  allocated(resource: string, milliseconds: number): void {
    this.#allocations.observe(milliseconds / 1000, [resource]);
  }

  collect(): readonly Family[] {
    return [...this.#registrations.collect(), ...this.#allocations.collect()];
  }
}
