import { describe, expect, test } from 'vitest';
import {
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isDNS1123SubdomainWithUnderscore,
  isQualifiedName,
  isValidLabelValue,
  isWildcardDNS1123Subdomain,
  type NameCheck,
  nameIsDNS1035Label,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
} from './names.ts';
import { pathSegmentName } from './path-segment.ts';

const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const NAME_PART =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const check = (is: NameCheck, table: readonly [string, readonly string[]][]): void => {
  test.each(table)(`return the messages of ${is.name} for %j`, (value, messages) => {
    expect(is(value)).toEqual(messages);
  });
};

describe('checks of names', () => {
  check(isDNS1123Label, [
    ['a', []],
    ['0-a', []],
    ['a'.repeat(63), []],
    ['a'.repeat(64), ['must be no more than 63 characters']],
    ['a.b', ['must not contain dots']],
    ['A', [LABEL]],
    ['', [LABEL]],
    ['a\n', [LABEL]],
    ['-a', [LABEL]],
  ]);
  check(isDNS1123Subdomain, [
    ['a.b-c.d', []],
    [`${'a.'.repeat(126)}a`, []],
    [`${'a.'.repeat(127)}a`, ['must be no more than 253 characters']],
    ['a..b', [SUBDOMAIN]],
    ['A_b', [SUBDOMAIN]],
    ['é'.repeat(127), ['must be no more than 253 characters', SUBDOMAIN]],
  ]);
  check(isDNS1123SubdomainWithUnderscore, [['_a.b_c', []]]);
  check(isWildcardDNS1123Subdomain, [['*.example.com', []]]);
  check(isDNS1035Label, [
    ['a-1', []],
    [
      '1-a',
      [
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
  ]);
  check(isQualifiedName, [
    ['simple', []],
    ['example.com/With_Dots.1', []],
    ['/name', ['prefix part must be non-empty']],
    ['example.com/', ['name part must be non-empty', NAME_PART]],
    ['Bad/name', [`prefix part ${SUBDOMAIN}`]],
    [`a/${'n'.repeat(64)}`, ['name part must be no more than 63 bytes']],
    [`${'a.'.repeat(127)}a/n`, ['prefix part must be no more than 253 bytes']],
    [
      'a/b/c',
      [
        `a valid label key ${NAME_PART.slice('name part '.length)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      ],
    ],
  ]);
  check(isValidLabelValue, [
    ['', []],
    ['a.b_c-D', []],
    ['v'.repeat(64), ['must be no more than 63 bytes']],
    [
      'a b',
      [
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
    ],
  ]);

  test.each([
    ['a generateName may end with a dash', nameIsDNSSubdomain, 'a-', true, 0],
    ['a name may not end with a dash', nameIsDNSSubdomain, 'a-', false, 1],
    ['a dash alone is not a valid prefix', nameIsDNSLabel, '-', true, 1],
    ['a 1035 prefix', nameIsDNS1035Label, 'a-b-', true, 0],
  ] as const)('follow the rule: %s', (_, validate, name, prefix, errors) => {
    expect(validate(name, prefix)).toHaveLength(errors);
  });

  test.each([
    ['a', false, []],
    ['.', false, ["may not be '.'"]],
    ['..', true, []],
    ['a/b%c', false, ["may not contain '/'", "may not contain '%'"]],
  ])('check the path segment %j with prefix %j', (name, prefix, messages) => {
    expect(pathSegmentName(name, prefix)).toEqual(messages);
  });
});
