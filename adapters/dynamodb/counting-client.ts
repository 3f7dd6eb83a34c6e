import { intercept, type Call, type Table } from './port.ts';

export interface Counts {
  reads: number;
  writes: number;
  /** By operation. */
  readonly calls: Record<Call['operation'], number>;
}

/** `table` with its calls counted, retries and failures included: what a cost model multiplies. */
export function counting(table: Table): { table: Table; counts: Counts; reset(): void } {
  const counts: Counts = { reads: 0, writes: 0, calls: { get: 0, query: 0, put: 0, update: 0, delete: 0 } };
  const counted = intercept(table, ({ operation }, next) => {
    counts.calls[operation] += 1;
    if (operation === 'get' || operation === 'query') counts.reads += 1;
    else counts.writes += 1;
    return next();
  });
  const reset = (): void => {
    Object.assign(counts, { reads: 0, writes: 0 });
    Object.assign(counts.calls, { get: 0, query: 0, put: 0, update: 0, delete: 0 });
  };
  return { table: counted, counts, reset };
}
