/** The numbers of a version: `v1.2.0` is 1, 2, 0. */
export type DriverVersion = readonly number[];

/** The text of a version, without the suffix after its numbers. */
export const versionText = (version: DriverVersion): string => version.join('.');

/** Whether a version is lower than another. Missing numbers count as 0. */
export function isLower(version: DriverVersion, other: DriverVersion): boolean {
  for (let at = 0; at < Math.max(version.length, other.length); at++) {
    const [one, two] = [version[at] ?? 0, other[at] ?? 0];
    if (one !== two) return one < two;
  }
  return false;
}

/** The highest of a driver's versions that the kubelet supports. Throws if none is 1.x. */
export function highestSupported(versions: readonly string[]): DriverVersion {
  let highest: DriverVersion | undefined;
  let fault = '<nil>';
  for (const text of versions.toReversed()) {
    const version = parsed(text);
    if (version === undefined) fault = `could not parse ${JSON.stringify(text)} as version`;
    else if ((version[0] ?? 0) <= 1 && (highest === undefined || isLower(highest, version))) highest = version;
  }
  if (highest === undefined)
    throw new Error(
      `could not find a highest supported version from versions ([${versions.join(' ')}]) reported: ${fault}`,
    );
  if (highest[0] === 1) return highest;
  throw new Error(`highest supported version reported is ${versionText(highest)}, must be v1.x`);
}

/** Two or more numbers with any suffix, or undefined for any other text (Go: version.ParseGeneric). */
function parsed(text: string): DriverVersion | undefined {
  const numbers = /^\s*v?((?:0|[1-9]\d*)(?:\.\d+)+)/.exec(text)?.[1];
  return numbers?.split('.').map(Number);
}
