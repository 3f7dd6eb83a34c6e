/** The type of a metric, as Prometheus's text format names it. */
export type MetricType = 'counter' | 'gauge' | 'histogram';
/** Label values by label name. */
export type Labels = Readonly<Record<string, string>>;

/** A metric with all its series at the time of a scrape. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly samples: readonly Sample[];
}

/** One line of a scrape. Consecutive lines of a series share `labels`, which are then encoded once. */
export interface Sample {
  /** The suffix `_bucket`, `_sum` or `_count` of a histogram's sample. */
  readonly suffix?: string;
  readonly labels: Labels;
  /** A bucket's upper bound as text, encoded as the last label. */
  readonly le?: string;
  readonly value: number;
  /** The time of measurement in ms since 1970. If absent, the time of the scrape. */
  readonly timestamp?: number;
}

/** A source of metrics, collected at each scrape. */
export interface Collector {
  collect(): readonly Family[] | Promise<readonly Family[]>;
}

/** A metric's name, its help text, and the names of its labels in the order of their values. */
export interface MetricOptions {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Label values by label name. */
export function labelled(names: readonly string[] = [], values: readonly string[]): Labels {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
