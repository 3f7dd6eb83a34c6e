import { Fault } from '#lib/machinery/fault.ts';
import { quote } from '#lib/machinery/go.ts';
import { MAX_UINT64 } from '#lib/machinery/integer-limits.ts';

/** A semantic version. Builds have no precedence. */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** The parts; a numeric part is a number. */
  readonly prerelease: readonly (bigint | string)[];
}

/** Parses Semantic Versioning 2.0 strictly, with the errors of upstream's parser. */
export function parseSemver(text: string): Version | Fault {
  if (text === '') return new Fault('Version string empty');
  const parts = splitInThree(text);
  if (parts.length !== 3) return new Fault('No Major.Minor.Patch elements found');
  const [first = '', second = '', third = ''] = parts;
  const plus = third.indexOf('+');
  const builds = plus < 0 ? [] : third.slice(plus + 1).split('.');
  const beforeBuild = plus < 0 ? third : third.slice(0, plus);
  const dash = beforeBuild.indexOf('-');
  const numbers: bigint[] = [];
  const fields = [first, second, dash < 0 ? beforeBuild : beforeBuild.slice(0, dash)];
  for (const [i, name] of ['Major', 'Minor', 'Patch'].entries()) {
    const number = parseNumber(fields[i] as string, name);
    if (number instanceof Fault) return number;
    numbers.push(number);
  }
  const prerelease = parsePrerelease(dash < 0 ? [] : beforeBuild.slice(dash + 1).split('.'));
  if (prerelease instanceof Fault) return prerelease;
  const [major = 0n, minor = 0n, patch = 0n] = numbers;
  return buildFault(builds) ?? { major, minor, patch, prerelease };
}

function splitInThree(text: string): string[] {
  const parts = text.split('.');
  return parts.length <= 3 ? parts : [parts[0] as string, parts[1] as string, parts.slice(2).join('.')];
}

function parseNumber(text: string, name: string): bigint | Fault {
  if (!/^[0-9]*$/.test(text)) {
    return new Fault(`Invalid character(s) found in ${name.toLowerCase()} number ${quote(text)}`);
  }
  if (/^0./.test(text)) return new Fault(`${name} number must not contain leading zeroes ${quote(text)}`);
  return parseUint(text);
}

function parseUint(text: string): bigint | Fault {
  const fault = (message: string): Fault => new Fault(`strconv.ParseUint: parsing ${quote(text)}: ${message}`);
  if (text === '') return fault('invalid syntax');
  if (text.length > 20 || BigInt(text) > MAX_UINT64) return fault('value out of range');
  return BigInt(text);
}

function parsePrerelease(parts: readonly string[]): (bigint | string)[] | Fault {
  const out: (bigint | string)[] = [];
  for (const part of parts) {
    const parsed = prereleasePart(part);
    if (parsed instanceof Fault) return parsed;
    out.push(parsed);
  }
  return out;
}

function prereleasePart(text: string): bigint | string | Fault {
  if (text === '') return new Fault('Prerelease is empty');
  if (/^0[0-9]+$/.test(text)) {
    return new Fault(`Numeric PreRelease version must not contain leading zeroes ${quote(text)}`);
  }
  if (/^[0-9]+$/.test(text)) return parseUint(text);
  if (/^[0-9A-Za-z-]+$/.test(text)) return text;
  return new Fault(`Invalid character(s) found in prerelease ${quote(text)}`);
}

function buildFault(parts: readonly string[]): Fault | undefined {
  for (const part of parts) {
    if (part === '') return new Fault('Build meta data is empty');
    if (!/^[0-9A-Za-z-]+$/.test(part)) {
      return new Fault(`Invalid character(s) found in build meta data ${quote(part)}`);
    }
  }
  return undefined;
}

/** Accepts a leading `v`, missing minor and patch numbers, and leading zeros. */
export function normalizeSemver(text: string): Version | Fault {
  const parts = splitInThree(text.startsWith('v') ? text.slice(1) : text).map(withoutZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    return new Fault('short version cannot contain PreRelease/Build meta data');
  }
  while (parts.length < 3) parts.push('0');
  return parseSemver(parts.join('.'));
}

function withoutZeros(text: string): string {
  if (text.length <= 1) return text;
  const rest = text.replace(/^0+/, '');
  return /^[0-9]/.test(rest) ? rest : `0${rest}`;
}

/** Compares two versions by precedence: -1, 0 or 1. */
export function compareSemver(a: Version, b: Version): -1 | 0 | 1 {
  const byNumber = order(a.major, b.major) || order(a.minor, b.minor) || order(a.patch, b.patch);
  if (byNumber !== 0) return byNumber;
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return order(b.prerelease.length, a.prerelease.length);
  for (let i = 0; i < Math.min(a.prerelease.length, b.prerelease.length); i++) {
    const byPart = comparePart(a.prerelease[i] as bigint | string, b.prerelease[i] as bigint | string);
    if (byPart !== 0) return byPart;
  }
  return order(a.prerelease.length, b.prerelease.length);
}

/** Sorts numbers before words. */
function comparePart(a: bigint | string, b: bigint | string): -1 | 0 | 1 {
  if (typeof a === typeof b) return order(a, b);
  return typeof a === 'bigint' ? -1 : 1;
}

const order = <T extends bigint | string | number>(a: T, b: T): -1 | 0 | 1 => (a < b ? -1 : a > b ? 1 : 0);
