import { expect, test } from 'vitest';
import { parseEnv } from './env-file.ts';

test.each([
  ["   KEY1='val1'\n\t\tKEY2='val2'\nKEY3='val3'\n", 'KEY2', 'val2'],
  ["# comment\n\nKEY1='foo'\n   # another comment\n\nKEY2='bar'\n", 'KEY2', 'bar'],
  ['KEY1=\'a $(b) \\n "c"\'', 'KEY1', 'a $(b) \\n "c"'],
  ["KEY1='a' # comment\nKEY2='b'", 'KEY1', 'a'],
  ["KEY1='a\n  b\n\nc'\nKEY2='b'", 'KEY1', 'a\n  b\n\nc'],
  ["KEY1= 'a'\nKEY2='b'", 'KEY1', ''],
  ["KEY1= 'a'\nKEY2='b'", 'KEY2', 'b'],
  ["KEY1='a'\r\nKEY2='b'\r\n", 'KEY2', 'b'],
  ["KEY1='a=b'", 'KEY1', 'a=b'],
  ["KEY1=''", 'KEY1', ''],
  ["KEY1='a'", 'NONE', ''],
  ['', 'NONE', ''],
  ["KEY1='a'\nnonsense", 'KEY1', 'a'],
])('parses in %j for %s the value %j', (text, key, value) => {
  expect(parseEnv(text, key)).toBe(value);
});

test.each([
  ['nonsense', "invalid environment variable format at line 1: missing '='"],
  ["\n='a'", 'invalid environment variable format at line 2: empty variable name'],
  ["A ='a'", "invalid environment variable format at line 1: whitespace before '=' is not allowed"],
  ['A=a', 'invalid environment variable format at line 1: value must be enclosed in single quotes'],
  ['A="a"', 'invalid environment variable format at line 1: value must be enclosed in single quotes'],
  ["A='a'b", 'invalid environment variable format at line 1: unexpected content after closing quote'],
  ["A='a\nb'c", 'invalid environment variable format at line 2: unexpected content after closing quote'],
  ["B='b'\nA='a\n\n", 'invalid environment variable format starting at line 2: unclosed single quote'],
  [`A='${'a'.repeat(65_536)}'`, 'bufio.Scanner: token too long'],
])('rejects an invalid file, case %#', (text, message) => {
  expect(() => parseEnv(text, 'KEY')).toThrow(new Error(message));
});
