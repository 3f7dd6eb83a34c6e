import { getHeapStatistics } from 'node:v8';

/** The bytes that a busy process needs in addition to its caches, and the share of the rest that caches may use. */
const RESERVED = 200 * 2 ** 20;
const SHARE = 0.4;

/**
 * The bytes that the caches of an API server with this much memory may hold. Measured (`npm run bench -- --lists`): a process with full
 * caches takes 220 MiB and 1.4 times their contents.
 */
export const cacheBytes = (memory: number, heapLimit = getHeapStatistics().heap_size_limit): number =>
  Math.max(0, Math.floor((Math.min(memory, heapLimit) - RESERVED) * SHARE));
