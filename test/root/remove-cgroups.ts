import { globSync, rmdirSync } from 'node:fs';
import { eventually } from '#test/support/eventually.ts';

/**
 * Removes the cgroups of a run, the deepest first, because a cgroup with children cannot be removed. The processes of a killed file may
 * need a moment to end.
 */
export async function removeCgroups(name: string): Promise<void> {
  const folders = ['', '*/'].map((controller) => `/sys/fs/cgroup/${controller}${name}`);
  const patterns = folders.flatMap((one) => [`${one}/`, `${one}/**/`]);
  await eventually(() => {
    for (const one of globSync(patterns).toSorted().toReversed()) rmdirSync(one);
  });
}
