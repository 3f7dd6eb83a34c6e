import { expect, test } from 'vitest';
import { addressText, bindAddress } from './bind-address.ts';

test.each([
  [':8081', { port: 8081 }],
  ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['[::1]:8081', { host: '::1', port: 8081 }],
  ['localhost:80', { host: 'localhost', port: 80 }],
])('accepts %s as an address', (text, address) => {
  expect(bindAddress(text)).toEqual(address);
  expect(addressText(address)).toBe(text);
});

test('0 disables the listener', () => expect(bindAddress('0')).toBeUndefined());

test.each(['8081', '', 'host', ':65536', '::1:80', 'a:b'])('rejects %j as an address', (text) => {
  expect(() => bindAddress(text)).toThrow('HOST:PORT');
});
