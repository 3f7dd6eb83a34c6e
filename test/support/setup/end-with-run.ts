/**
 * Each worker loads this module first. If its run was interrupted or killed, a worker would otherwise continue to the end of its file. This
 * makes it exit, along with the processes that it started (`test/support/mortal.ts`).
 */
const { exit } = process; // vitest replaces it later
const end = (): never => exit(1);
process.once('disconnect', end);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
