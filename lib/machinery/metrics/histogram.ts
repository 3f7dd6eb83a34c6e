import { type Collector, type Family, labelled, type MetricOptions, type Sample } from './family.ts';
import { formatNumber } from './format-number.ts';
import { Series } from './series.ts';

interface State {
  readonly counts: number[];
  count: number;
  sum: number;
}

/** Counts observations in buckets. `buckets` are ascending upper bounds. */
export class Histogram implements Collector {
  readonly #options: MetricOptions & { readonly buckets: readonly number[] };
  /** The encoded bounds of the buckets. */
  readonly #bounds: readonly string[];
  readonly #series: Series<State>;

  constructor(options: MetricOptions & { readonly buckets: readonly number[] }) {
    this.#options = options;
    this.#bounds = options.buckets.map(formatNumber);
    this.#series = new Series(() => ({ counts: options.buckets.map(() => 0), count: 0, sum: 0 }));
  }

  observe(observed: number, values: readonly string[] = []): void {
    this.#note(this.#series.at(values), observed);
  }

  /** Returns the observe function of one series, for frequent use. */
  observer(values: readonly string[]): (observed: number) => void {
    const state = this.#series.at(values);
    return (observed) => this.#note(state, observed);
  }

  #note(state: State, observed: number): void {
    const { buckets } = this.#options;
    let bucket = 0;
    while (bucket < buckets.length && !(observed <= (buckets[bucket] as number))) bucket++;
    if (bucket < buckets.length) state.counts[bucket] = (state.counts[bucket] ?? 0) + 1;
    state.count += 1;
    state.sum += observed;
  }

  collect(): readonly Family[] {
    const { name, help } = this.#options;
    const samples = [...this.#series.entries()].flatMap(({ values, state }) => this.#samples(values, state));
    return [{ name, help, type: 'histogram', samples }];
  }

  /** Buckets are cumulative in the output. */
  #samples(values: readonly string[], { counts, count, sum }: State): Sample[] {
    const labels = labelled(this.#options.labels, values);
    let below = 0;
    const buckets = this.#bounds.map((le, index) => {
      below += counts[index] ?? 0;
      return { suffix: '_bucket', labels, le, value: below };
    });
    return [
      ...buckets,
      { suffix: '_bucket', labels, le: '+Inf', value: count },
      { suffix: '_sum', labels, value: sum },
      { suffix: '_count', labels, value: count },
    ];
  }
}
