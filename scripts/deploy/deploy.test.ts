import { describe, expect, test } from 'vitest';
import { readArguments } from './arguments.ts';
import { quotaFault } from './quota.ts';

const admin = 'arn:aws:iam::123456789012:role/a=b';

test.each([
  [[], {}, undefined],
  [['-c', `admin=${admin}`, '--context', 'stage=development'], { admin, stage: 'development' }, undefined],
  [[`--context=admin=${admin}`, '--profile=blue'], { admin }, 'blue'],
  [['--profile', 'blue', '--require-approval', 'never', '-c', 'alarms'], { alarms: '' }, 'blue'],
  [['-c'], {}, undefined],
])('%j', (args, context, profile) => {
  expect(readArguments(args)).toEqual({ context, profile });
});

describe('the quota of an account', () => {
  test.each([
    [1000, 100],
    [200, 100],
    [110, 10],
  ])('of %i lets %i be reserved', (all, wanted) => {
    expect(quotaFault({ all }, wanted)).toBeUndefined();
  });

  test.each([
    [199, 100, 'What helps: -c reservedConcurrency=99, or a larger quota'],
    [109, 10, 'What helps: a larger quota'],
    [10, 100, 'What helps: a larger quota'],
  ])('of %i refuses %i, in one line', (all, wanted, remedy) => {
    const fault = quotaFault({ all }, wanted);
    expect(fault).toContain(`may run ${all} functions at once in this region`);
    expect(fault).toContain(remedy);
    expect(fault).not.toContain('\n');
  });
});
