/**
 * Loaded by each worker before anything else. If its run was interrupted or killed, a worker would run its file to the end alone. This
 * makes it exit, along with the processes that it started (`test/support/mortal.ts`).
 */
const { exit } = process; // which vitest replaces
const end = (): never => exit(1);
process.once('disconnect', end);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
