import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { durationText, parseDuration } from './duration.ts';
import { dateOf, instantOf, microTimeText, parseMicroTime, parseTime, timeText } from './time.ts';

describe('times in objects', () => {
  test('are parsed as they are formatted', () => {
    const date = fc.date({
      min: new Date('0001-01-02T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (value) => {
        const instant = instantOf(value);
        expect(parseTime(timeText(instant) as string)).toEqual({ ...instant, nanos: 0 });
        expect(parseMicroTime(microTimeText(instant) as string)).toEqual(instant);
        expect(dateOf(instant)).toEqual(value);
      }),
    );
  });

  test.each([
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00Z'],
    ['2024-01-01T00:30:00+01:00', '2023-12-31T23:30:00Z'],
    ['2024-01-01T1:00:00Z', '2024-01-01T01:00:00Z'],
    ['2024-01-01T00:00:00.999Z', '2024-01-01T00:00:00Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00Z'],
    ['0001-01-01T00:00:00Z', null],
  ])('format %s as %s', (text, expected) => {
    expect(timeText(parseTime(text))).toBe(expected);
  });

  const as = 'as "2006-01-02T15:04:05Z07:00": cannot parse';
  test.each([
    ['', `parsing time "" ${as} "" as "2006"`],
    ['x"é', `parsing time "x\\"\\xc3\\xa9" ${as} "x\\"\\xc3\\xa9" as "2006"`],
    ['2024-1-01T00:00:00Z', `parsing time "2024-1-01T00:00:00Z" ${as} "1-01T00:00:00Z" as "01"`],
    ['2024-01-01 00:00:00Z', `parsing time "2024-01-01 00:00:00Z" ${as} " 00:00:00Z" as "T"`],
    ['2024-01-01T00:00:00', `parsing time "2024-01-01T00:00:00" ${as} "" as "Z07:00"`],
    ['2024-13-01T00:00:00Z', 'parsing time "2024-13-01T00:00:00Z": month out of range'],
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2023-02-28T24:00:00Z', 'parsing time "2023-02-28T24:00:00Z": hour out of range'],
    ['2023-02-28T00:00:00Zx', 'parsing time "2023-02-28T00:00:00Zx": extra text: "x"'],
    ['2023-02-28T00:00:00+99:00', 'parsing time "2023-02-28T00:00:00+99:00": time zone offset hour out of range'],
  ])('reject the text %j', (text, message) => {
    expect(() => parseTime(text)).toThrow(message);
  });

  test.each([
    ['2024-01-01T00:00:00.000001Z', '2024-01-01T00:00:00.000001Z'],
    ['2024-01-01T00:00:00.123456-01:00', '2024-01-01T01:00:00.123456Z'],
  ])('parse the micro time %s', (text, expected) => {
    expect(microTimeText(parseMicroTime(text))).toBe(expected);
  });

  test.each([
    ['2024-01-01T00:00:00Z', 'as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"'],
    ['2024-01-01T00:00:00.1234567Z', 'cannot parse "7Z" as "Z07:00"'],
  ])('reject the micro time %s', (text, message) => {
    expect(() => parseMicroTime(text)).toThrow(message);
  });
});

describe('durations in Go’s format', () => {
  test('are parsed as they are formatted', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (value) => {
        expect(parseDuration(durationText(value))).toBe(value);
      }),
    );
  });

  test.each([
    ['0', '0s'],
    ['1h', '1h0m0s'],
    ['90s', '1m30s'],
    ['1.5s', '1.5s'],
    ['-1m.5s', '-1m0.5s'],
    ['1500us', '1.5ms'],
    ['1µs1ns', '1.001µs'],
    ['100ms', '100ms'],
  ])('format %s as %s', (text, expected) => {
    expect(durationText(parseDuration(text))).toBe(expected);
  });

  test.each([
    ['', 'time: invalid duration ""'],
    ['.', 'time: invalid duration "."'],
    ['1', 'time: missing unit in duration "1"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['s', 'time: invalid duration "s"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
  ])('reject the text %j', (text, message) => {
    expect(() => parseDuration(text)).toThrow(message);
  });
});
