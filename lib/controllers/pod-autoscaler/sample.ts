/** A sample of one pod. */
export interface Sample {
  /** In thousandths. */
  readonly value: number;
  /** When it was taken, in milliseconds since 1970, and over how many milliseconds. */
  readonly time: number;
  readonly window: number;
}

export type Samples = ReadonlyMap<string, Sample>;
