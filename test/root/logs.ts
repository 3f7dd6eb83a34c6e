/** The logs of the programs that this file's tests started last, by name. A failed test prints their last lines. */
export const logs = new Map<string, () => string>();
