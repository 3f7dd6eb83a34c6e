import { expect, test } from 'vitest';
import { eventName, generateEventName } from './event-name.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;

test.each([100, 232, 236])('uses a valid object name of %d characters as a prefix of the event name', (length) => {
  const about = 'p'.repeat(length);
  expect(eventName(about, ['words'])).toMatch(new RegExp(`^${about}\\.[0-9a-f]{16}$`));
});

test.each([
  ['is too long for a suffix', 'p'.repeat(240)],
  ['has the maximum length', 'p'.repeat(253)],
  ['has a colon', 'system:colon'],
  ['has capital letters', 'Capital'],
  ['is empty', ''],
])('names the event by a UUID if the name of the object %s', (_, about) => {
  const name = eventName(about, ['words']);
  expect(name).toMatch(UUID);
  expect(eventName(about, ['words'])).toBe(name);
  expect(eventName(about, ['other words'])).not.toBe(name);
  expect(generateEventName(about, 'f'.repeat(16), () => 'uuid')).toBe('uuid');
});
