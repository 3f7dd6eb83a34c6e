import { expect, test } from 'vitest';
import { errorText, FieldPath } from '#lib/machinery/validation/field.ts';
import { defaultPreemptionArgs, validateDefaultPreemptionArgs } from './args.ts';

test.each<[string, unknown, string[]]>([
  ['defaults', {}, []],
  [
    'a percentage above 100',
    { minCandidateNodesPercentage: 101 },
    ['args.minCandidateNodesPercentage: Invalid value: 101: not in valid range [0, 100]'],
  ],
  [
    'a negative number',
    { minCandidateNodesAbsolute: -1 },
    ['args.minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)'],
  ],
  [
    'both minimums zero',
    { minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0 },
    [
      'args.minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as minCandidateNodesAbsolute',
      'args.minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as minCandidateNodesPercentage',
    ],
  ],
])('validates DefaultPreemptionArgs: %s', (_, given, expected) => {
  const errors = validateDefaultPreemptionArgs(defaultPreemptionArgs.parse(given), FieldPath.of('args'));
  expect(errors.map(errorText)).toEqual(expected);
});
