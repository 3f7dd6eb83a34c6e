import { readFile, writeFile } from 'node:fs/promises';

/** A number of the kernel's settings, by its path below `/proc/sys`; undefined where the kernel has none. */
export async function readSysctl(name: string): Promise<number | undefined> {
  const text = await readFile(`/proc/sys/${name}`, 'utf8').catch(() => undefined); // a kernel without that part
  return text === undefined ? undefined : Number(text.trim());
}

/** Sets it. Rejects with an Error where the kernel does not take it. */
export const writeSysctl = (name: string, value: number): Promise<void> =>
  writeFile(`/proc/sys/${name}`, String(value));
