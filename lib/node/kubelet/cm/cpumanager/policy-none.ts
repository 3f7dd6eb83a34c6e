import { goValue } from '#lib/machinery/go-values.ts';
import { CPUSet } from '../cpuset.ts';
import type { CPUPolicy } from './policy.ts';

/** Lets all containers share all CPUs. Throws Error with upstream's text for any option. */
export function noneCPUPolicy(options: Record<string, string>): CPUPolicy {
  if (Object.keys(options).length > 0) throw new Error(`None policy: received unsupported options=${goValue(options)}`);
  return {
    name: 'none',
    allocatable: new CPUSet(),
    start: () => undefined,
    allocate: () => undefined,
    removeContainer: () => undefined,
    topologyHints: () => new Map(),
    podTopologyHints: () => new Map(),
  };
}
