import { join, relative } from 'node:path';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '..');

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      /** Start time in milliseconds since 1970. */
      startTime: z.number().default(0),
      endTime: z.number().default(0),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), meta: z.object({ skipped: z.string().optional() }) }),
      ),
    }),
  ),
});
export type FileResult = z.infer<typeof reportSchema>['testResults'][number];

/** The files in a vitest JSON report; none if the value is not a report. */
export const fileResults = (report: unknown): readonly FileResult[] =>
  reportSchema.safeParse(report).data?.testResults ?? [];

/** The wall time of each file in seconds, by path from the root of the checkout. */
export const secondsByFile = (reports: readonly unknown[]): ReadonlyMap<string, number> =>
  new Map(
    reports
      .flatMap(fileResults)
      .map(({ name, startTime, endTime }) => [relative(ROOT, name), (endTime - startTime) / 1_000]),
  );
