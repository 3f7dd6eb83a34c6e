import { readFile, writeFile } from 'node:fs/promises';

/** Reads a numeric kernel setting by its path below `/proc/sys`. Undefined if the kernel lacks it. */
export async function readSysctl(name: string): Promise<number | undefined> {
  const text = await readFile(`/proc/sys/${name}`, 'utf8').catch(() => undefined); // a kernel without that feature
  return text === undefined ? undefined : Number(text.trim());
}

/** Sets a kernel setting. Rejects with an Error if the kernel rejects the value. */
export const writeSysctl = (name: string, value: number): Promise<void> =>
  writeFile(`/proc/sys/${name}`, String(value));
