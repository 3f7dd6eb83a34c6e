import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';
import { scopeOf } from './request-labels.ts';

const SERVED = ['group', 'version', 'resource'];
const POWERS = [1, 2, 4, 8, 16, 32, 64, 128].map((kibibytes) => kibibytes * 1024);

/** Metrics of watch events, under upstream's names. */
export class WatchMetrics implements Collector {
  readonly #sizes = new Histogram({
    name: 'apiserver_watch_events_sizes',
    help: 'Bytes of the events that watches were sent.',
    labels: SERVED,
    buckets: POWERS,
  });
  readonly #lists = new Histogram({
    name: 'apiserver_watch_list_duration_seconds',
    help: 'Seconds until a watch had all that was there when it began.',
    labels: [...SERVED, 'scope'],
    buckets: [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60],
  });

  /** Returns a function that records the size of each event of one watch. */
  sender({ group, version, resource }: RequestInfo): (size: number) => void {
    return this.#sizes.observer([group, version, resource]);
  }

  listed(info: RequestInfo, seconds: number): void {
    this.#lists.observe(seconds, [info.group, info.version, info.resource, scopeOf(info)]);
  }

  collect(): readonly Family[] {
    const sizes = this.#sizes.collect();
    const counts = sizes.flatMap(({ samples }) => samples.filter(({ suffix }) => suffix === '_count'));
    const total: Family = {
      name: 'apiserver_watch_events_total',
      help: 'Events that watches were sent.',
      type: 'counter',
      samples: counts.map(({ labels, value }) => ({ labels, value })),
    };
    return [...sizes, total, ...this.#lists.collect()];
  }
}
