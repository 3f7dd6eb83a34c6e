/** A resource that eviction frees. `inodes` and `pids` are names of eviction alone. */
export type EvictionResource = 'memory' | 'ephemeral-storage' | 'inodes' | 'pids';

/** The conditions of a node that eviction sets. */
export type PressureCondition = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

const DISK = { condition: 'DiskPressure', resource: 'ephemeral-storage' } as const;
const INODES = { condition: 'DiskPressure', resource: 'inodes' } as const;
const MEMORY = { condition: 'MemoryPressure', resource: 'memory' } as const;

/** The signals of eviction: the condition that each sets, and the resource that is freed (upstream: signalToNodeCondition, signalToResource). */
export const SIGNALS = {
  'memory.available': MEMORY,
  'allocatableMemory.available': MEMORY,
  'nodefs.available': DISK,
  'nodefs.inodesFree': INODES,
  'imagefs.available': DISK,
  'imagefs.inodesFree': INODES,
  'containerfs.available': DISK,
  'containerfs.inodesFree': INODES,
  'pid.available': { condition: 'PIDPressure', resource: 'pids' },
} as const satisfies Record<string, { condition: PressureCondition; resource: EvictionResource }>;

/** A signal of eviction. */
export type Signal = keyof typeof SIGNALS;

/** Whether upstream knows the signal. */
export const isSignal = (name: string): name is Signal => Object.hasOwn(SIGNALS, name);
