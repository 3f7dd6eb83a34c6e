import { describe, expect, test } from 'vitest';
import { errorText, FieldPath } from './field.ts';
import {
  isCIdentifier,
  isConfigMapKey,
  isDecimalInteger,
  isDomainPrefixedKey,
  isDomainPrefixedPath,
  isEnvVarName,
  isFullyQualifiedDomainName,
  isFullyQualifiedName,
  isHTTPHeaderName,
  isRelaxedEnvVarName,
  isValidPercent,
  isValidPortName,
  isValidPortNum,
  isValidUserID,
} from './formats.ts';

describe('checks of formats', () => {
  test.each<[string, string[], string[]]>([
    ['port name', isValidPortName('http-1'), []],
    [
      'a port name with every error',
      isValidPortName('-A--1-0123456789'),
      [
        'must be no more than 15 characters',
        'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'must contain at least one letter (a-z)',
        'must not contain consecutive hyphens',
        'must not begin or end with a hyphen',
      ],
    ],
    ['port', isValidPortNum(65535), []],
    ['port 0', isValidPortNum(0), ['must be between 1 and 65535, inclusive']],
    ['user', isValidUserID(2147483648n), ['must be between 0 and 2147483647, inclusive']],
    ['percent', isValidPercent('93%'), []],
    [
      'an invalid percent',
      isValidPercent('x'),
      [
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ],
    ],
    ['header', isHTTPHeaderName('X-A'), []],
    ['identifier', isCIdentifier('_a1'), []],
    ['config key', isConfigMapKey('a_B.c-1'), []],
    ['config key ..', isConfigMapKey('..'), ["must not be '..'"]],
    ['config key ..a', isConfigMapKey('..a'), ["must not start with '..'"]],
    [
      'config key with a slash',
      isConfigMapKey('a/b'),
      [
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
    ],
    ['env', isEnvVarName('my.env-NAME'), []],
    [
      'env with a digit first',
      isEnvVarName('1a'),
      [
        "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
      ],
    ],
    ['relaxed env', isRelaxedEnvVarName('1 a:b'), []],
    [
      'relaxed env with =',
      isRelaxedEnvVarName('a=b'),
      ["a valid environment variable name must consist only of printable ASCII characters other than '='"],
    ],
    ['relaxed env, empty', isRelaxedEnvVarName(''), ['environment variable name must be non-empty']],
    ['decimal', isDecimalInteger('-9223372036854775808'), []],
    ['decimal -0', isDecimalInteger('-0'), ['must be a valid decimal integer in canonical form']],
  ])('check the format: %s', (_, actual, messages) => {
    expect(actual).toEqual(messages);
  });

  const at = FieldPath.of('f');
  test.each([
    [isFullyQualifiedName(at, 'a.b.c'), []],
    [
      isFullyQualifiedName(at, 'a.b'),
      ['f: Invalid value: "a.b": should be a domain with at least three segments separated by dots'],
    ],
    [isFullyQualifiedDomainName(at, 'a.b.'), []],
    [
      isFullyQualifiedDomainName(at, 'a'),
      ['f: Invalid value: "a": should be a domain with at least two segments separated by dots'],
    ],
    [
      isFullyQualifiedDomainName(at, `${'a'.repeat(64)}.b`),
      [`f: Invalid value: "${'a'.repeat(64)}": must be no more than 63 characters`],
    ],
    [isDomainPrefixedPath(at, 'acme.io/a/b'), []],
    [
      isDomainPrefixedPath(at, 'acme.io/'),
      ['f: Invalid value: "acme.io/": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      isDomainPrefixedPath(at, 'acme.io/ '),
      ["f: Invalid value: \" \": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"],
    ],
    [isDomainPrefixedKey(at, 'acme.io/foo'), []],
    [isDomainPrefixedKey(at, ''), ['f: Required value']],
    [
      isDomainPrefixedKey(at, 'foo'),
      ['f: Invalid value: "foo": must be a domain-prefixed key (such as "acme.io/foo")'],
    ],
  ])('report the field error %#', (errors, texts) => {
    expect(errors.map(errorText)).toEqual(texts);
  });
});
