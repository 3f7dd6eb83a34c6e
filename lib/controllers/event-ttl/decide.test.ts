import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Event } from '#lib/api/types/core.v1.ts';
import { EVENTS } from '#lib/api/types/resources.ts';
import { TTL, waitFor, writtenAt } from './decide.ts';

const at = (text: string): number => Date.parse(text);
const NOW = at('2026-01-01T12:00:00Z');

test.each<[string, Partial<Event>, string]>([
  ['its creation', {}, '2026-01-01T11:00:00Z'],
  ['its last occurrence', { lastTimestamp: '2026-01-01T11:30:00Z' }, '2026-01-01T11:30:00Z'],
  ['its eventTime', { eventTime: '2026-01-01T11:40:00.000000Z' }, '2026-01-01T11:40:00Z'],
  ['its creation if its last occurrence is earlier', { lastTimestamp: '2025-01-01T00:00:00Z' }, '2026-01-01T11:00:00Z'],
  [
    'the current time if its last occurrence is in the future',
    { lastTimestamp: '2027-01-01T00:00:00Z' },
    '2026-01-01T12:00:00Z',
  ],
  ['its creation if its last occurrence is invalid', { lastTimestamp: 'soon' }, '2026-01-01T11:00:00Z'],
])('reads the time of the last write of an event from %s', (_name, fields, expected) => {
  const event = { ...decodedAs(EVENTS, { metadata: { creationTimestamp: '2026-01-01T11:00:00Z' } }), ...fields };
  expect(new Date(writtenAt(event, NOW))).toEqual(new Date(at(expected)));
});

test.each([
  [NOW, TTL],
  [NOW - TTL / 2, TTL / 2],
  [NOW - TTL + 1, 60_000],
])('waits for an event last written at %i: %i ms', (oldest, expected) => expect(waitFor(oldest, NOW)).toBe(expected));
