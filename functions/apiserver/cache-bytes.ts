import { getHeapStatistics } from 'node:v8';

/** The bytes that a busy process needs in addition to its caches, and the fraction of the rest that caches may use. */
const RESERVED = 200 * 2 ** 20;
const SHARE = 0.4;

/**
 * The maximum bytes for the caches of an API server with this much memory. Measured with `npm run bench -- --lists`: a process with full
 * caches takes 220 MiB plus 1.4 times the size of their contents.
 */
export const cacheBytes = (memory: number, heapLimit = getHeapStatistics().heap_size_limit): number =>
  Math.max(0, Math.floor((Math.min(memory, heapLimit) - RESERVED) * SHARE));
