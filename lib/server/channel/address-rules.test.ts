import { expect, test } from 'vitest';
import { isProxyable } from './address-rules.ts';

test.each([
  ['10.0.0.1', true],
  ['192.168.1.1', true],
  ['203.0.113.9', true],
  ['fd00::1', true],
  ['127.0.0.1', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['169.254.169.254', false],
  ['fe80::1', false],
  ['0.0.0.0', false],
  ['::', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['', false],
  ['localhost', false],
])('lets users make the server call %j: %s', (address, is) => {
  expect(isProxyable(address)).toBe(is);
});
