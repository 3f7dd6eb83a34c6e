/** A version as its numbers: `v1.2.0` is 1, 2, 0. */
export type DriverVersion = readonly number[];

/** The version as text without what follows its numbers. */
export const versionText = (version: DriverVersion): string => version.join('.');

/** Whether a version is lower than another one; numbers that are not there count as none. */
export function isLower(version: DriverVersion, other: DriverVersion): boolean {
  for (let at = 0; at < Math.max(version.length, other.length); at++) {
    const [one, two] = [version[at] ?? 0, other[at] ?? 0];
    if (one !== two) return one < two;
  }
  return false;
}

/** The highest version that the kubelet can call, of those that a driver names. Throws where none is 1.x. */
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

/** Two or more numbers with whatever behind them; undefined of anything else (Go: version.ParseGeneric). */
function parsed(text: string): DriverVersion | undefined {
  const numbers = /^\s*v?((?:0|[1-9]\d*)(?:\.\d+)+)/.exec(text)?.[1];
  return numbers?.split('.').map(Number);
}
