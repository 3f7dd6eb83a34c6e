import { globSync, rmdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Removes the cgroups of a run, the deepest first, because a cgroup with children cannot be removed. The processes of a killed file may
 * take a moment to end.
 */
export async function removeCgroups(name: string): Promise<void> {
  const folders = ['', '*/'].map((controller) => `/sys/fs/cgroup/${controller}${name}`);
  const patterns = folders.flatMap((one) => [`${one}/`, `${one}/**/`]);
  for (let attempt = 1; ; attempt++)
    try {
      for (const one of globSync(patterns).toSorted().toReversed()) rmdirSync(one);
      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(100);
    }
}
