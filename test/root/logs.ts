/** The logs of the programs that this file's tests started last, by their names. A failed test shows their ends. */
export const logs = new Map<string, () => string>();
