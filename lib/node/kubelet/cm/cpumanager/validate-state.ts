import { quote } from '#lib/machinery/go.ts';
import { CPUSet } from '../cpuset.ts';
import type { CPUState } from './state.ts';

/** All CPUs of the machine and those reserved for the system. With `strict`, the reserved ones are not shared either. */
export interface MachineCPUs {
  readonly all: CPUSet;
  readonly reserved: CPUSet;
  readonly strict: boolean;
}

/** Fills an empty state with the machine's CPUs. Throws Error with upstream's text if a state does not match the machine. */
export function validateCPUState(state: CPUState, { all, reserved, strict }: MachineCPUs): void {
  const { defaultSet, assignments } = state;
  const available = strict ? all.difference(reserved) : all;
  if (defaultSet.isEmpty) {
    if (assignments.size > 0) throw new Error('default cpuset cannot be empty');
    state.setDefault(available);
    return;
  }
  checkReserved(defaultSet, reserved, strict);
  const owned = [...assignments].flatMap(([uid, sets]) => [...sets].map(([name, set]) => ({ uid, name, set })));
  for (const { uid, name, set } of owned) {
    if (defaultSet.intersection(set).isEmpty) continue;
    const both = `cpuset: ${quote(String(set))} overlaps with default cpuset ${quote(String(defaultSet))}`;
    throw new Error(`pod: ${uid}, container: ${name} ${both}`);
  }
  const known = defaultSet.union(...owned.map(({ set }) => set));
  if (!known.equals(available))
    throw new Error(`current set of available CPUs "${available}" doesn't match with CPUs in state "${known}"`);
}

function checkReserved(defaultSet: CPUSet, reserved: CPUSet, strict: boolean): void {
  const shared = reserved.intersection(defaultSet);
  if (strict && !shared.isEmpty) {
    const sets = `${quote(String(shared))} are present in defaultCpuSet: ${quote(String(defaultSet))}`;
    throw new Error(`some of strictly reserved cpus: ${sets}`);
  }
  if (!strict && !shared.equals(reserved))
    throw new Error(`not all reserved cpus: "${reserved}" are present in defaultCpuSet: "${defaultSet}"`);
}
