import { expect, test } from 'vitest';
import { type ConfigOption, formatConfig, parseConfig } from './config.ts';
import { checkFeatureGates } from './feature-gates.ts';
import { likely } from './nearest.ts';

const OPTIONS: readonly ConfigOption[] = [
  { key: 'port', type: 'integer' },
  { key: 'dataDir', type: 'path' },
  { key: 'inMemory', type: 'boolean' },
  { key: 'sync', type: 'string', choices: ['full', 'off'] },
  { key: 'plugins', type: 'list' },
];
const HEAD = 'apiVersion: davit.dev/v1\nkind: Config\n';

test('reads a file with options of every type and writes it back', () => {
  const text = `apiVersion: davit.dev/v1\ndataDir: /data\ninMemory: true\nkind: Config\nplugins:\n- A\n- B\nport: 1\nsync: "off"\n`;
  const values = parseConfig(text, OPTIONS);
  expect(Object.fromEntries(values)).toEqual({
    dataDir: '/data',
    inMemory: true,
    plugins: ['A', 'B'],
    port: 1,
    sync: 'off',
  });
  expect(formatConfig(values)).toBe(text);
});

test.each([
  ['prot: 1', 'unknown key "prot"; the nearest is "port"'],
  ['in-memory: true', 'unknown key "in-memory"; the nearest is "inMemory"'],
  ['__proto__: {}', /unknown key "__proto__"$/],
  ['replicas: 3', /unknown key "replicas"$/],
  ['port: "1"', 'port: a whole number belongs there, not "1"'],
  ['port: 1.5', 'port: a whole number belongs there, not 1.5'],
  ['inMemory: 1', 'inMemory: true or false belongs there, not 1'],
  ['sync: often', 'sync: "full" or "off" belongs there, not "often"'],
  ['plugins: A', 'plugins: a list of texts belongs there, not "A"'],
  ['plugins: [A, 1]', 'plugins[1]: a text belongs there, not 1'],
  ['dataDir: {}', 'dataDir: a path belongs there, not an object'],
  ['port: 1\nport: 2', 'already set in map'],
  ['port: x\nsynk: y', 'port: a whole number belongs there, not "x"; unknown key "synk"; the nearest is "sync"'],
])('rejects in one line the options %s', (text, message) => {
  expect(() => parseConfig(HEAD + text, OPTIONS)).toThrow(message);
});

test.each([
  ['apiVersion: davit.dev/v2\nkind: Config', 'apiVersion: "davit.dev/v1" belongs there, not "davit.dev/v2"'],
  ['kind: Config', 'apiVersion: "davit.dev/v1" belongs there, not nothing'],
  ['[]', 'a Config of davit.dev/v1 belongs there'],
  ['', 'a Config of davit.dev/v1 belongs there'],
  ['a: b: c', 'yaml'],
])('rejects the file %s', (text, message) => {
  expect(() => parseConfig(text, OPTIONS)).toThrow(message);
});

test.each([
  ['', undefined],
  ['prot', 'port'],
  ['PORT', 'port'],
  ['plugin', 'plugins'],
  ['plu', 'plugins'],
  ['foo', undefined],
])('suggests for the word %j the option %s', (word, expected) => {
  expect(likely(word, word === '' ? [] : ['sync', 'port', 'plugins'])).toBe(expected);
});

test.each([
  ['', []],
  [
    'StructuredAuthenticationConfiguration=true',
    ['Setting GA feature gate StructuredAuthenticationConfiguration=true. It will be removed in a future release.'],
  ],
  ['AllAlpha=false,', []],
])('accepts the feature gates %s', (text, warnings) => {
  expect(checkFeatureGates(text)).toEqual(warnings);
});

test.each([
  ['NoSuch=true', 'unrecognized feature gate: NoSuch'],
  ['AllAlpha=true', 'cannot set feature gate AllAlpha to true, feature is locked to false'],
  [
    'StructuredAuthenticationConfiguration=f',
    'cannot set feature gate StructuredAuthenticationConfiguration to false, feature is locked to true',
  ],
  ['A', 'missing bool value for A'],
  ['A=yes', 'invalid value of A=yes, err: strconv.ParseBool: parsing "yes": invalid syntax'],
])('rejects the feature gates %s', (text, message) => {
  expect(() => checkFeatureGates(text)).toThrow(message);
});
