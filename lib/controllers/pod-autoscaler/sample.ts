/** A sample of one pod. */
export interface Sample {
  /** The value in thousandths. */
  readonly value: number;
  /** The time of the sample in ms since 1970, and the length of its window in ms. */
  readonly time: number;
  readonly window: number;
}

/** Samples by the names of pods. */
export type Samples = ReadonlyMap<string, Sample>;
