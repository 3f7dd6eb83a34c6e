import { expect, test } from 'vitest';
import { errorText, FieldPath } from '#lib/machinery/validation/field.ts';
import { interPodAffinityArgs, validateInterPodAffinityArgs } from './args.ts';

test.each<[number | undefined, string[]]>([
  [undefined, []],
  [0, []],
  [100, []],
  [-1, ['args.hardPodAffinityWeight: Invalid value: -1: not in valid range [0, 100]']],
  [101, ['args.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]']],
])('validates a weight of %s', (hardPodAffinityWeight, expected) => {
  const args = interPodAffinityArgs.parse({ hardPodAffinityWeight });
  expect(validateInterPodAffinityArgs(args, FieldPath.of('args')).map(errorText)).toEqual(expected);
});
