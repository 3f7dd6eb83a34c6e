/** The newest version of the specification that this code supports. */
export const CURRENT = '1.1.0';

/** All versions of the specification whose results can be parsed and converted, oldest first. */
export const ALL_VERSIONS = ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'] as const;

const PARTS = ['major', 'minor', 'micro'];

/** Major, minor and micro of a version. '' is 0.1.0. Throws Error with libcni's message. Only the part from Go's strconv may differ. */
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

/** Below 0 if the first version is older, above 0 if it is newer. Throws like `parseVersion`. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [parseVersion(one), parseVersion(other)];
  return first[0] - second[0] || first[1] - second[1] || first[2] - second[2];
}

/** Whether a version is equal to or newer than the other. Throws like `parseVersion`. */
export const isAtLeast = (version: string, other: string): boolean => compareVersions(version, other) >= 0;
