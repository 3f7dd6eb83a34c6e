/** A sample of one pod. */
export interface Sample {
  /** In thousandths. */
  readonly value: number;
  /** The time at which it was taken, in milliseconds since 1970, and the milliseconds that it spans. */
  readonly time: number;
  readonly window: number;
}

/** Samples by the names of pods. */
export type Samples = ReadonlyMap<string, Sample>;
