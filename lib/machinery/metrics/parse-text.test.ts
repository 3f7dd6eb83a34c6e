import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseText, TextFormatError } from './parse-text.ts';
import { expose } from './text.ts';

const parsed = (text: string) =>
  [...parseText(text)].map(({ labels, ...rest }) => ({ ...rest, labels: Object.fromEntries(labels) }));

test.each([
  ['a 1', { name: 'a', labels: {}, value: 1 }],
  ['a{} 1.5e3 ', { name: 'a', labels: {}, value: 1500 }],
  ['a{b="c"} 1 1700000000123', { name: 'a', labels: { b: 'c' }, value: 1, timestamp: 1_700_000_000_123 }],
  [' a { b = "c" , d="e", } +Inf', { name: 'a', labels: { b: 'c', d: 'e' }, value: Infinity }],
  ['a{b="}"} -inf', { name: 'a', labels: { b: '}' }, value: -Infinity }],
  ['a{b="x\\"y\\\\z\\n"} NaN', { name: 'a', labels: { b: 'x"y\\z\n' }, value: Number.NaN }],
  ['a:b_total{__proto__="x"} .5\r', { name: 'a:b_total', labels: JSON.parse('{"__proto__":"x"}'), value: 0.5 }],
])('parses the line %j', (line, sample) => {
  expect(parsed(`# HELP a b\n\n${line}\n`)).toEqual([sample]);
});

test.each([
  ['{b="c"} 1', 'it has no metric name'],
  ['a', 'its value is no number'],
  ['a one', 'its value is no number'],
  ['a 0x10', 'its value is no number'],
  ['a 1 now', 'its value is no number'],
  ['a{b="c" 1', 'a label is malformed'],
  ['a{b="c', 'a label is malformed'],
  ['a{', 'a label is malformed'],
  ['a{b=c} 1', 'a label is malformed'],
  [`a{b="${'x'.repeat(20_000)}"} 1`, 'it has more than 16384 characters'],
])('rejects the line %.20j', (line, why) => {
  expect(() => parsed(`ok 1\n${line}`)).toThrow(new TextFormatError(2, why));
});

const label = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,8}$/);
const sample = fc.record({
  labels: fc.dictionary(label, fc.string({ unit: 'binary', maxLength: 20 }), { maxKeys: 4 }),
  value: fc.double(),
  timestamp: fc.option(fc.integer({ min: 0, max: 2_000_000_000_000 }), { nil: undefined }),
});

test('parses the metrics that this program exposes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sample, { minLength: 1, maxLength: 5 }), async (samples) => {
      const told = samples.map(({ timestamp, ...rest }) => ({
        ...rest,
        value: Object.is(rest.value, -0) ? 0 : rest.value,
        ...(timestamp === undefined ? {} : { timestamp }),
      }));
      const family = { name: 'a_b:c', help: 'x\ny', type: 'gauge', samples: told } as const;
      const text = await expose([{ collect: () => [family] }]);
      expect(parsed(text)).toEqual(told.map((one) => ({ name: 'a_b:c', ...one })));
    }),
  );
});

test('ends with samples or a TextFormatError for any input', () => {
  const piece = fc.constantFrom(
    'a',
    '{',
    '}',
    '"',
    '\\',
    '=',
    ',',
    ' ',
    '\n',
    '#',
    '1',
    'NaN',
    'e',
    '-',
    '\u0000',
    'é',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      try {
        for (const one of parseText(pieces.join(''))) expect(one.name).not.toBe('');
      } catch (error) {
        expect(error).toBeInstanceOf(TextFormatError);
      }
    }),
    { numRuns: 2000 },
  );
});

test('rejects a long line of digits that is not a number', () => {
  expect(() => [...parseText(`a ${'1'.repeat(16_000)}x`)]).toThrow('its value is no number');
});
