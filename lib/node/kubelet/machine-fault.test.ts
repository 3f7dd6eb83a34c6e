import { expect, test } from 'vitest';
import { machineFault } from './machine-fault.ts';

test.each([
  [{ failSwapOn: true, failCgroupV1: false }, { swap: false, cgroups: 1 as const }, undefined],
  [
    { failSwapOn: true, failCgroupV1: false },
    { swap: true, cgroups: 2 as const },
    /^running with swap on is not supported/,
  ],
  [{ failSwapOn: false, failCgroupV1: false }, { swap: true, cgroups: 1 as const }, undefined],
  [{ failSwapOn: true, failCgroupV1: true }, { swap: false, cgroups: 1 as const }, /^kubelet is configured to not run/],
  [{ failSwapOn: true, failCgroupV1: true }, { swap: false, cgroups: 2 as const }, undefined],
])('returns with %j on a machine with %j the fault %s', (configuration, machine, fault) => {
  const found = machineFault(configuration, machine);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(fault);
});
