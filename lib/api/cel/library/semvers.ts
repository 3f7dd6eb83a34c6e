import { Fault } from '#lib/machinery/fault.ts';
import { declare, global, member } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { boolType, intType, objectType, stringType, type Type } from '../types/type.ts';
import { error, Opaque, type Result, type Value } from '../values/value.ts';
import { compareSemver, normalizeSemver, parseSemver, type Version } from './semver.ts';

/** The type of semantic versions. */
export const semverType: Type = objectType('kubernetes.Semver');

/** A semantic version as a value. */
export class SemverValue extends Opaque {
  readonly type = semverType;
  readonly version: Version;

  constructor(version: Version) {
    super();
    this.version = version;
  }

  equalTo(other: Value): boolean {
    return other instanceof SemverValue && compareSemver(this.version, other.version) === 0;
  }
}

const parse = (text: string, normalize: boolean): Version | Fault =>
  normalize ? normalizeSemver(text) : parseSemver(text);

function stringToSemver(text: string, normalize: boolean): Result {
  const version = parse(text, normalize);
  return version instanceof Fault ? error(version.message) : new SemverValue(version);
}

const isSemver = (text: string, normalize: boolean): boolean => !(parse(text, normalize) instanceof Fault);
const compare = (a: SemverValue, b: SemverValue): -1 | 0 | 1 => compareSemver(a.version, b.version);

const number = (read: (version: Version) => bigint) => (target: SemverValue) => BigInt.asIntN(64, read(target.version));

/** Kubernetes' semantic versions, version 1. */
export const semvers: Library = {
  name: 'kubernetes.Semver',
  functions: [
    declare(
      'semver',
      global('string_to_semver', [stringType], semverType, (text: string) => stringToSemver(text, false)),
      global('string_bool_to_semver', [stringType, boolType], semverType, stringToSemver),
    ),
    declare(
      'isSemver',
      global('is_semver_string', [stringType], boolType, (text: string) => isSemver(text, false)),
      global('is_semver_string_bool', [stringType, boolType], boolType, isSemver),
    ),
    declare(
      'isGreaterThan',
      member(
        'semver_is_greater_than',
        [semverType, semverType],
        boolType,
        (a: SemverValue, b: SemverValue) => compare(a, b) === 1,
      ),
    ),
    declare(
      'isLessThan',
      member(
        'semver_is_less_than',
        [semverType, semverType],
        boolType,
        (a: SemverValue, b: SemverValue) => compare(a, b) === -1,
      ),
    ),
    declare(
      'compareTo',
      member('semver_compare_to', [semverType, semverType], intType, (a: SemverValue, b: SemverValue) =>
        BigInt(compare(a, b)),
      ),
    ),
    declare(
      'major',
      member(
        'semver_major',
        [semverType],
        intType,
        number(({ major }) => major),
      ),
    ),
    declare(
      'minor',
      member(
        'semver_minor',
        [semverType],
        intType,
        number(({ minor }) => minor),
      ),
    ),
    declare(
      'patch',
      member(
        'semver_patch',
        [semverType],
        intType,
        number(({ patch }) => patch),
      ),
    ),
  ],
};
