import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  quantityMilliValue,
  quantityText,
  quantityValue,
  subtractQuantities,
} from './quantity.ts';

const quantity = fc
  .tuple(
    fc.constantFrom('', '-', '+'),
    fc.nat(99_999_999),
    fc.constantFrom('', '.5', '.250', '.0001'),
    fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'E-3', 'e+6'),
  )
  .map((parts) => parseQuantity(parts.join('')));

describe('quantities of resources', () => {
  // A binary quantity that fits no binary suffix is written without a suffix. Like upstream, the parser then reads it as a decimal one.
  test('keep their value in their text, which is stable after parsing', () => {
    fc.assert(
      fc.property(quantity, (value) => {
        const again = parseQuantity(quantityText(value));
        expect(compareQuantities(again, value)).toBe(0);
        expect(quantityText(parseQuantity(quantityText(again)))).toBe(quantityText(again));
      }),
      { examples: [[parseQuantity('66913281.25Ki')]] },
    );
  });

  test('give one part of a sum back when the other is subtracted', () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        expect(compareQuantities(subtractQuantities(addQuantities(a, b), b), a)).toBe(0);
      }),
    );
  });

  // text, formatted text, value plus one, value, milli value
  test.each<[string, string, string, bigint, bigint]>([
    ['0', '0', '1', 0n, 0n],
    ['+', '0', '1', 0n, 0n],
    ['Mi', '0', '1', 0n, 0n],
    [' 1 ', '1', '2', 1n, 1000n],
    ['1e21', '1e21', '1000000000000000000001', 10n ** 21n, 10n ** 24n],
    ['0.5', '500m', '1500m', 1n, 500n],
    ['1.5', '1500m', '2500m', 2n, 1500n],
    ['1.500', '1.500', '2500m', 2n, 1500n],
    ['+1', '+1', '2', 1n, 1000n],
    ['001', '001', '2', 1n, 1000n],
    ['1E3', '1E3', '1001', 1000n, 1_000_000n],
    ['1024Ki', '1Mi', '1048577', 1_048_576n, 1_048_576_000n],
    ['8Gi', '8Gi', '8589934593', 8_589_934_592n, 8_589_934_592_000n],
    ['1030Ki', '1030Ki', '1054721', 1_054_720n, 1_054_720_000n],
    ['-1.5Gi', '-1536Mi', '-1610612735', -1_610_612_736n, -1_610_612_736_000n],
    ['0.1Ki', '102400m', '103400m', 103n, 102_400n],
    ['1.5Ki', '1536', '1537', 1536n, 1_536_000n],
    ['10Ei', '9223372036854775807', '8Ei', 9_223_372_036_854_775_807n, 9_223_372_036_854_775_807_000n],
    ['0.0000000001', '1n', '1000000001n', 1n, 1n],
    ['-0.0000000001', '-1n', '999999999n', -1n, -1n],
    ['1e-10', '1e-9', '1000000001e-9', 1n, 1n],
    ['100000k', '100M', '100000001', 100_000_000n, 100_000_000_000n],
    ['1.2e3', '1200', '1201', 1200n, 1_200_000n],
    ['999999999999999999', '999999999999999999', '1E', 999_999_999_999_999_999n, 999_999_999_999_999_999_000n],
    ['0.3Mi', '314572800m', '314573800m', 314_573n, 314_572_800n],
    ['1000m', '1', '2', 1n, 1000n],
    ['1100u', '1100u', '1001100u', 1n, 2n],
    ['1000000Ki', '1000000Ki', '1024000001', 1_024_000_000n, 1_024_000_000_000n],
    ['1e100', '10e99', `1${'0'.repeat(99)}1`, 10n ** 100n, 10n ** 103n],
    ['1000E', '1000E', '1000000000000000000001', 10n ** 21n, 10n ** 24n],
  ])('are parsed from the text %s', (text, written, plusOne, value, milli) => {
    const parsed = parseQuantity(text);
    expect(quantityText(parsed)).toBe(written);
    expect(quantityText(addQuantities(parsed, parseQuantity('1')))).toBe(plusOne);
    expect(quantityValue(parsed)).toBe(value);
    expect(quantityMilliValue(parsed)).toBe(milli);
  });

  const FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  test.each([
    ['', FORMAT],
    ['abc', FORMAT],
    ['1.2.3', FORMAT],
    ['1e5x', FORMAT],
    ['1'.repeat(2000), FORMAT],
    ['1e', "unable to parse quantity's suffix"],
    ['1Kib', FORMAT],
    ['1KiB', FORMAT],
    ['1ki', "unable to parse quantity's suffix"],
    ['1e999999999', "unable to parse quantity's suffix"],
    ['Pi', 'unable to parse numeric part of quantity'],
    ['E-10', 'unable to parse numeric part of quantity'],
  ])('are rejected for the text %s', (text, message) => {
    expect(() => parseQuantity(text)).toThrow(message);
  });

  test.each(['Ti', 'k', '.', '-', 'e3', 'E-9'])('are zero for the bare text %s, as in upstream', (text) => {
    expect(quantityText(parseQuantity(text))).toBe('0');
  });

  test.each([
    ['1Ki', '1k', 1],
    ['1000m', '1', 0],
    ['-1', '0', -1],
    ['1Gi', '1024Mi', 0],
  ])('compare %s with %s: %i', (a, b, sign) => {
    expect(compareQuantities(parseQuantity(a), parseQuantity(b))).toBe(sign);
  });
});
