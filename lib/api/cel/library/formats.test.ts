import { describe, expect, test } from 'vitest';
import { evaluated } from '../testing/evaluated.ts';

/** An expression, its result in upstream 1.36, and its cost there. */
const cases: readonly (readonly [string, unknown, number])[] = [
  ['format.byte().validate("abc").hasValue()', true, 23],
  ['format.date().validate("abc").hasValue()', true, 20],
  ['format.datetime().validate("abc").hasValue()', true, 20],
  ['format.dns1035Label().validate("abc").hasValue()', false, 10],
  ['format.dns1035LabelPrefix().validate("abc").hasValue()', false, 10],
  ['format.dns1123Label() == format.dns1123Label()', true, 3],
  ['format.dns1123Label().validate("abc").hasValue()', false, 10],
  ['format.dns1123LabelPrefix().validate("abc").hasValue()', false, 10],
  ['format.dns1123Subdomain().validate("abc").hasValue()', false, 17],
  ['format.dns1123SubdomainPrefix().validate("abc").hasValue()', false, 17],
  ['format.labelValue().validate("abc").hasValue()', false, 12],
  ['format.named("nope").value().validate("")', { error: 'optional.none() dereference' }, 3],
  [
    'format.named("nope").value().validate("123e4567-e89b-12d3-a456-426614174000")',
    { error: 'optional.none() dereference' },
    3,
  ],
  ['format.named("nope").value().validate("2021-01-01")', { error: 'optional.none() dereference' }, 3],
  ['format.named("nope").value().validate("2021-01-01T00:00:00Z")', { error: 'optional.none() dereference' }, 3],
  ['format.named("nope").value().validate("A_b")', { error: 'optional.none() dereference' }, 3],
  ['format.named("nope").value().validate("YWJj")', { error: 'optional.none() dereference' }, 3],
  ['format.named("nope").value().validate("a-")', { error: 'optional.none() dereference' }, 3],
  ['format.named("nope").value().validate("a.b")', { error: 'optional.none() dereference' }, 3],
  ['format.named("nope").value().validate("abc")', { error: 'optional.none() dereference' }, 3],
  ['format.named("nope").value().validate("http://x/y")', { error: 'optional.none() dereference' }, 3],
  ['format.qualifiedName().validate("abc").hasValue()', false, 17],
  ['format.uri().validate("abc").hasValue()', true, 278],
  ['format.uuid().validate("abc").hasValue()', true, 20],
];

describe('library of named formats', () => {
  test.each(cases)('evaluates the expression %s', (expression, value, cost) => {
    expect(evaluated(expression)).toEqual({ value, cost });
  });
});
