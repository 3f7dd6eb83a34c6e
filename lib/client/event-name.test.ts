import { expect, test } from 'vitest';
import { eventName, generateEventName } from './event-name.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;

test.each([100, 232, 236])('an object with a valid name of %d characters lends it to its events', (length) => {
  const about = 'p'.repeat(length);
  expect(eventName(about, ['words'])).toMatch(new RegExp(`^${about}\\.[0-9a-f]{16}$`));
});

test.each([
  ['is too long for a suffix', 'p'.repeat(240)],
  ['is as long as a name may be', 'p'.repeat(253)],
  ['has a colon', 'system:colon'],
  ['has capital letters', 'Capital'],
  ['is empty', ''],
])('an object whose name %s has events named by a UUID', (_, about) => {
  const name = eventName(about, ['words']);
  expect(name).toMatch(UUID);
  expect(eventName(about, ['words'])).toBe(name);
  expect(eventName(about, ['other words'])).not.toBe(name);
  expect(generateEventName(about, 'f'.repeat(16), () => 'uuid')).toBe('uuid');
});
