import * as z from 'zod/mini';
import { isPositiveDuration, millisecondsOf } from '#lib/machinery/duration.ts';
import { issuesText } from '#lib/machinery/issues.ts';

const environment = z.object({
  /** Upstream's `--metric-resolution`. */
  DAVIT_METRIC_RESOLUTION: z
    .string('must be given')
    .check(z.refine(isPositiveDuration, 'must be a duration above zero, such as 60s')),
});

/** The configuration of the function that serves the metrics API. */
export interface Config {
  /** Milliseconds for which a scrape of a node is good. */
  readonly resolution: number;
}

/** Reads the environment. Throws TypeError, one line, that names what is wrong. */
export function configOf(env: Readonly<Record<string, string | undefined>>): Config {
  const read = environment.safeParse(env);
  if (!read.success) throw new TypeError(issuesText(read.error.issues));
  return { resolution: millisecondsOf(read.data.DAVIT_METRIC_RESOLUTION) };
}
