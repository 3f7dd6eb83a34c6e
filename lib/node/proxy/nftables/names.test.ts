import { expect, test } from 'vitest';
import { hashedName } from './names.ts';

test('consists of a prefix, a hash and the texts', () => {
  expect(hashedName('service', 'default/web', 'tcp', 'http')).toMatch(/^service-[A-Z2-7]{8}-default\/web\/tcp\/http$/);
});

test('omits characters that are not safe in nftables', () => {
  const name = hashedName('service', 'a b; delete table ip x\n{"$');
  expect(name).toMatch(/^[A-Za-z0-9_.\-/]+$/);
});

test('truncates long names and keeps them distinct', () => {
  const [one, other] = ['a', 'b'].map((end) => hashedName('service', `${'x'.repeat(300)}${end}`));
  expect(one?.length).toBe(240);
  expect(one).not.toBe(other);
});

test('distinguishes texts whose concatenations are equal', () => {
  expect(hashedName('s', 'a/b', 'c')).not.toBe(hashedName('s', 'a', 'b/c'));
});
