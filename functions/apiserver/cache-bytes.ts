import { getHeapStatistics } from 'node:v8';

/** Bytes that a process takes beside its caches while it answers, and of the rest the share that caches may hold. */
const RESERVED = 200 * 2 ** 20;
const SHARE = 0.4;

/**
 * The bytes that the caches of an API server with so many bytes of memory may hold. Measured (`npm run bench -- --lists`): a process
 * whose caches are full takes 220 MiB and 1.4 times what they hold.
 */
export const cacheBytes = (memory: number, heapLimit = getHeapStatistics().heap_size_limit): number =>
  Math.max(0, Math.floor((Math.min(memory, heapLimit) - RESERVED) * SHARE));
