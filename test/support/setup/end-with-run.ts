/**
 * Loaded by each worker before anything else. A worker whose run was interrupted or killed would run its file to the end, alone:
 * it exits instead, and what it started goes with it (`test/support/mortal.ts`).
 */
const { exit } = process; // which vitest replaces
const end = (): never => exit(1);
process.once('disconnect', end);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
