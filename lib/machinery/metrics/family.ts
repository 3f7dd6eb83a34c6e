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

/** One line of a scrape. Lines of one series that follow each other share `labels`, which are then written once. */
export interface Sample {
  /** `_bucket`, `_sum` or `_count`: a histogram's. */
  readonly suffix?: string;
  readonly labels: Labels;
  /** A bucket's upper bound, as text: the label behind the others. */
  readonly le?: string;
  readonly value: number;
  /** When it was measured, milliseconds since 1970. Absent: at the scrape. */
  readonly timestamp?: number;
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
