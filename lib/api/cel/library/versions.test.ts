import { describe, expect, test } from 'vitest';
import { evaluated } from '../testing/evaluated.ts';

/** An expression, its result in upstream 1.36, and its cost there. */
const cases: readonly (readonly [string, unknown, number])[] = [
  ['isSemver("..", true)', false, 1],
  ['isSemver("1.2-a", true)', false, 1],
  ['isSemver("1.2.3+b.c", true)', true, 1],
  ['isSemver("1.2.3-18446744073709551616")', false, 3],
  ['isSemver("a.2.3", true)', false, 1],
  ['isSemver("v01.02.03")', false, 1],
  ['semver("",true).major()', { error: 'strconv.ParseUint: parsing "": invalid syntax' }, 1],
  ['semver(".1.2",true).patch()', { error: 'strconv.ParseUint: parsing "": invalid syntax' }, 2],
  ['semver("1-a").major()', { error: 'No Major.Minor.Patch elements found' }, 2],
  ['semver("1.02.3",true).major()', 1, 2],
  ['semver("1.2+3").compareTo(semver("1.2.3"))', { error: 'No Major.Minor.Patch elements found' }, 3],
  ['semver("1.2+3").patch()', { error: 'No Major.Minor.Patch elements found' }, 2],
  ['semver("1.2-a").compareTo(semver("1.2.3-1"))', { error: 'No Major.Minor.Patch elements found' }, 3],
  ['semver("1.2.3") == semver("1-a")', { error: 'No Major.Minor.Patch elements found' }, 3],
  ['semver("1.2.3") == semver("1.2")', { error: 'No Major.Minor.Patch elements found' }, 3],
  ['semver("1.2.3").isLessThan(semver("1-a"))', { error: 'No Major.Minor.Patch elements found' }, 3],
  ['semver("1.2.3").isLessThan(semver("1.2.3"))', false, 3],
  ['semver("1.2.3").isLessThan(semver("1.2.3+b-a"))', false, 3],
  [
    'semver("1.2.3").isLessThan(semver("1.2.3-01"))',
    { error: 'Numeric PreRelease version must not contain leading zeroes "01"' },
    3,
  ],
  ['semver("1.2.3").isLessThan(semver("1.2.3-1"))', false, 3],
  ['semver("1.2.3").isLessThan(semver("1.2.3-a..b"))', { error: 'Prerelease is empty' }, 3],
  ['semver("1.2.3").isLessThan(semver("a.2.3"))', { error: 'Invalid character(s) found in major number "a"' }, 3],
  ['semver("1.2.3").major()', 1, 2],
  ['semver("1.2.3+b!").compareTo(semver("2.0.0"))', { error: 'Invalid character(s) found in build meta data "b!"' }, 3],
  ['semver("1.2.3+b!",true).major()', { error: 'Invalid character(s) found in build meta data "b!"' }, 2],
  ['semver("1.2.3+b.c").compareTo(semver("1.2.3-1"))', 1, 3],
  ['semver("1.2.3-1") == semver("")', { error: 'Version string empty' }, 2],
  ['semver("1.2.3-1") == semver("1.2.3-")', { error: 'Prerelease is empty' }, 3],
  ['semver("1.2.3-1") == semver("18446744073709551615.0.0")', false, 5],
  ['semver("1.2.3-1").isLessThan(semver("1.2.3-a.b"))', true, 3],
  [
    'semver("1.2.3-18446744073709551616").compareTo(semver("1.2.3-a"))',
    { error: 'strconv.ParseUint: parsing "18446744073709551616": value out of range' },
    5,
  ],
  ['semver("1.2.3-a").isLessThan(semver(""))', { error: 'Version string empty' }, 2],
  ['semver("1.2.3-a").isLessThan(semver("01.2.3"))', { error: 'Major number must not contain leading zeroes "01"' }, 3],
  ['semver("1.2.3.4",true).minor()', { error: 'Invalid character(s) found in patch number "3.4"' }, 2],
  ['semver("1.2.c").compareTo(semver("1.2.3-1"))', { error: 'Invalid character(s) found in patch number "c"' }, 3],
  ['semver("1.2.c").compareTo(semver("1.2.3-a"))', { error: 'Invalid character(s) found in patch number "c"' }, 3],
  [
    'semver("2.0.0") == semver("1.2.3-01")',
    { error: 'Numeric PreRelease version must not contain leading zeroes "01"' },
    3,
  ],
  ['semver("2.0.0") == semver("v01.02.03")', { error: 'Invalid character(s) found in major number "v01"' }, 3],
  ['semver("2.0.0") == semver("v1")', { error: 'No Major.Minor.Patch elements found' }, 3],
  ['semver("2.0.0").isLessThan(semver("1.2.3+"))', { error: 'Build meta data is empty' }, 3],
  ['semver("a.2.3").compareTo(semver("2.0.0"))', { error: 'Invalid character(s) found in major number "a"' }, 3],
  [
    'semver("v00.0.0-a").compareTo(semver("1.2.3-1"))',
    { error: 'Invalid character(s) found in major number "v00"' },
    3,
  ],
  [
    'semver("v01.02.03").compareTo(semver("1.2.3-1"))',
    { error: 'Invalid character(s) found in major number "v01"' },
    3,
  ],
  ['semver("v1.2.3").compareTo(semver("2.0.0"))', { error: 'Invalid character(s) found in major number "v1"' }, 3],
  ['semver("vv1.2.3",true).patch()', { error: 'Invalid character(s) found in major number "0v1"' }, 2],
];

describe('library of semantic versions', () => {
  test.each(cases)('evaluates the expression %s', (expression, value, cost) => {
    expect(evaluated(expression)).toEqual({ value, cost });
  });
});
