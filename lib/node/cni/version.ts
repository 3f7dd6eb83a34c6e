/** The newest version of the specification that this code speaks. */
export const CURRENT = '1.1.0';

/** Every version of the specification whose results can be read and converted, the oldest first. */
export const ALL_VERSIONS = ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'] as const;

const PARTS = ['major', 'minor', 'micro'];

/** Major, minor and micro of a version; no version is 0.1.0. Throws Error with libcni's text, but for Go's cause. */
export function parseVersion(version: string): readonly [major: number, minor: number, micro: number] {
  if (version === '') return [0, 1, 0];
  const parts = version.split('.');
  if (parts.length >= 4) throw new Error(`invalid version "${version}": too many parts`);
  const [major = 0, minor = 0, micro = 0] = parts.map((part, i) => {
    if (!/^[+-]?\d{1,9}$/.test(part))
      throw new Error(
        `failed to convert ${PARTS[i]} version part "${part}": strconv.Atoi: parsing "${part}": invalid syntax`,
      );
    return Number(part);
  });
  return [major, minor, micro];
}

/** Below 0 where the first version is older, above 0 where it is newer. Throws as `parseVersion`. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [parseVersion(one), parseVersion(other)];
  return first[0] - second[0] || first[1] - second[1] || first[2] - second[2];
}

/** Whether a version is another or newer than it. Throws as `parseVersion`. */
export const isAtLeast = (version: string, other: string): boolean => compareVersions(version, other) >= 0;
