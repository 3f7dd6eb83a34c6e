/** The path elements of a cgroup from the root, before the driver converts them: `['kubepods', 'burstable', 'pod1234']`. */
export type CgroupName = readonly string[];

/** The cgroup driver, which decides how cgroup names become paths (`cgroupDriver` of the configuration). */
export type CgroupDriver = 'cgroupfs' | 'systemd';

const SLICE = '.slice';

/** A cgroup below another. Throws Error for a part with a slash or an underscore, which are reserved in systemd's names. */
export function newCgroupName(base: CgroupName, ...parts: readonly string[]): CgroupName {
  const bad = parts.find((part) => /[/_]/.test(part));
  if (bad !== undefined) throw new Error(`invalid character in component ["${bad}"] of CgroupName`);
  return [...base, ...parts];
}

/** The path of a cgroup below the mount: `/kubepods/burstable`, or `/kubepods.slice/kubepods-burstable.slice`. */
export function cgroupPath(name: CgroupName, driver: CgroupDriver): string {
  if (driver === 'cgroupfs') return `/${name.join('/')}`;
  const parts = name.filter((part) => part !== '').map((part) => part.replaceAll('-', '_'));
  const slices = parts.map((_, index) => `${parts.slice(0, index + 1).join('-')}${SLICE}`);
  return `/${slices.join('/')}`;
}

/** The name of the cgroup at a path. */
export function cgroupNameOf(path: string, driver: CgroupDriver): CgroupName {
  if (driver === 'cgroupfs') return path.split('/').filter((part) => part !== '');
  const last = path.split('/').at(-1) ?? '';
  const base = last.endsWith(SLICE) ? last.slice(0, -SLICE.length) : last;
  return base.split('-').map((part) => part.replaceAll('_', '-'));
}
