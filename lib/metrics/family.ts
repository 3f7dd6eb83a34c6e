/** The type of a metric, as Prometheus's text format names it. */
export type MetricType = 'counter' | 'gauge' | 'histogram';
/** Label values by label name. */
export type Labels = Readonly<Record<string, string>>;

/** One metric with all its series, as a scrape reads them. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly samples: readonly Sample[];
}

/** One line of a scrape; a histogram's have suffixes. */
export interface Sample {
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** Whatever has something to tell when it is asked. */
export interface Collector {
  collect(): readonly Family[] | Promise<readonly Family[]>;
}

/** A metric's name, what it says, and the names of its labels, in the order in which their values are given. */
export interface MetricOptions {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Label values by the metric's names. */
export function labelled(names: readonly string[] = [], values: readonly string[]): Labels {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
