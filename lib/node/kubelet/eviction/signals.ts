/** A resource that eviction reclaims. `inodes` and `pids` are names that only eviction uses. */
export type EvictionResource = 'memory' | 'ephemeral-storage' | 'inodes' | 'pids';

/** The node conditions that eviction sets. */
export type PressureCondition = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

const DISK = { condition: 'DiskPressure', resource: 'ephemeral-storage' } as const;
const INODES = { condition: 'DiskPressure', resource: 'inodes' } as const;
const MEMORY = { condition: 'MemoryPressure', resource: 'memory' } as const;

/**
 * The eviction signals with the condition that each sets and the resource to reclaim (upstream: signalToNodeCondition, signalToResource).
 */
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

/** An eviction signal. */
export type Signal = keyof typeof SIGNALS;

/** Whether upstream has a signal with this name. */
export const isSignal = (name: string): name is Signal => Object.hasOwn(SIGNALS, name);
