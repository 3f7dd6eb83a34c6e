import { expect, test } from 'vitest';
import { hashedName } from './names.ts';

test('a name has a prefix, a hash and the texts', () => {
  expect(hashedName('service', 'default/web', 'tcp', 'http')).toMatch(/^service-[A-Z2-7]{8}-default\/web\/tcp\/http$/);
});

test('text that is not safe in nftables stays out', () => {
  const name = hashedName('service', 'a b; delete table ip x\n{"$');
  expect(name).toMatch(/^[A-Za-z0-9_.\-/]+$/);
});

test('a long name is cut, and another long name is another', () => {
  const [one, other] = ['a', 'b'].map((end) => hashedName('service', `${'x'.repeat(300)}${end}`));
  expect(one?.length).toBe(240);
  expect(one).not.toBe(other);
});

test('texts that join alike are told apart', () => {
  expect(hashedName('s', 'a/b', 'c')).not.toBe(hashedName('s', 'a', 'b/c'));
});
