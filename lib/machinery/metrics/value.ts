import { type Collector, type Family, labelled, type MetricOptions } from './family.ts';
import { Series } from './series.ts';

/** A counter or gauge with one number for each series. */
export class Value implements Collector {
  readonly #options: MetricOptions & { readonly type: 'counter' | 'gauge' };
  readonly #series = new Series(() => ({ value: 0 }));

  constructor(options: MetricOptions & { readonly type: 'counter' | 'gauge' }) {
    this.#options = options;
  }

  add(by: number, values: readonly string[] = []): void {
    this.#series.at(values).value += by;
  }

  set(value: number, values: readonly string[] = []): void {
    this.#series.at(values).value = value;
  }

  collect(): readonly Family[] {
    const { labels, ...rest } = this.#options;
    const samples = [...this.#series.entries()].map(({ values, state }) => ({
      labels: labelled(labels, values),
      value: state.value,
    }));
    return [{ ...rest, samples }];
  }
}
