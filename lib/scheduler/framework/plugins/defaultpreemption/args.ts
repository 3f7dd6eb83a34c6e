import * as z from 'zod';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { typeMeta } from '../shared/args.ts';

/** Upstream's DefaultPreemptionArgs: the minimum number of candidate nodes to try. */
export const defaultPreemptionArgs = z.strictObject({
  ...typeMeta,
  minCandidateNodesPercentage: z.int().default(10),
  minCandidateNodesAbsolute: z.int().default(100),
});
/** The plugin's arguments, with defaults set. */
export type DefaultPreemptionArgs = z.output<typeof defaultPreemptionArgs>;

/** Upstream's ValidateDefaultPreemptionArgs. */
export function validateDefaultPreemptionArgs(args: DefaultPreemptionArgs, path: FieldPath): FieldError[] {
  const { minCandidateNodesPercentage: percentage, minCandidateNodesAbsolute: absolute } = args;
  const [percentagePath, absolutePath] = [
    path.child('minCandidateNodesPercentage'),
    path.child('minCandidateNodesAbsolute'),
  ];
  const both = (other: string): string => `cannot be zero at the same time as ${other}`;
  return [
    ...(percentage >= 0 && percentage <= 100
      ? []
      : [invalid(percentagePath, percentage, 'not in valid range [0, 100]')]),
    ...(absolute >= 0 ? [] : [invalid(absolutePath, absolute, 'not in valid range [0, inf)')]),
    ...(percentage === 0 && absolute === 0
      ? [
          invalid(percentagePath, percentage, both('minCandidateNodesAbsolute')),
          invalid(absolutePath, absolute, both('minCandidateNodesPercentage')),
        ]
      : []),
  ];
}
