/** A measurement, which is a row of the table. Lower times and higher rates are better. */
export interface Row {
  readonly name: string;
  readonly unit: 'ms' | '/s' | 'MiB';
  readonly value: number;
}

/** The value that the given share of the samples does not exceed. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The median and the p99 of latencies in milliseconds. */
export const latencyRows = (name: string, samples: readonly number[]): Row[] => [
  { name: `${name} p50`, unit: 'ms', value: quantile(samples, 0.5) },
  { name: `${name} p99`, unit: 'ms', value: quantile(samples, 0.99) },
];

/** The duration of one call in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The durations in milliseconds of sequential calls. */
export async function latencies(count: number, work: (i: number) => Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  for (let i = 0; i < count; i++) samples.push(await timed(() => work(i)));
  return samples;
}

/** Calls per second of several workers over a number of milliseconds. Each worker makes its calls sequentially. */
export async function throughput(
  workers: number,
  duration: number,
  work: (worker: number, i: number) => Promise<unknown>,
): Promise<number> {
  const started = performance.now();
  let done = 0;
  const loop = async (worker: number): Promise<void> => {
    for (let i = 0; performance.now() - started < duration; i++) {
      await work(worker, i);
      done++;
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => loop(worker)));
  return (done * 1000) / (performance.now() - started);
}

/** Calls the function for each number below `count`, with as many concurrent calls as there are workers. */
export async function forEachOf(count: number, workers: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const loop = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) await work(i);
  };
  await Promise.all(Array.from({ length: workers }, loop));
}
