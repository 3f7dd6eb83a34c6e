import { expect, test } from 'vitest';
import { wallClockOf } from './wall-clock.ts';

test.each([
  ['Europe/Berlin', '2026-01-15T12:00:00Z', '2026-01-15T13:00:00.000Z'],
  ['Europe/Berlin', '2026-07-15T12:00:00Z', '2026-07-15T14:00:00.000Z'],
  ['Asia/Kathmandu', '2026-07-15T23:00:00Z', '2026-07-16T04:45:00.000Z'],
  ['America/St_Johns', '2026-01-01T02:00:00Z', '2025-12-31T22:30:00.000Z'],
  ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29T23:59:59.000Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31T00:00:00.000Z'],
  ['UTC', '0050-03-01T00:00:00Z', '0050-03-01T00:00:00.000Z'],
])('converts in %s the instant %s to the local time %s', (zone, instant, shown) => {
  expect(new Date(wallClockOf(zone)(Date.parse(instant))).toISOString()).toBe(shown);
});

test('throws a RangeError for an unknown zone', () => {
  expect(() => wallClockOf('Mars/Olympus')).toThrow(RangeError);
});
