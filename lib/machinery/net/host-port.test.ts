import { expect, test } from 'vitest';
import { bracketed, joinHostPort } from './host-port.ts';
import { isLoopbackHost, isUnspecifiedHost } from './this-host.ts';

test.each([
  ['10.0.0.1', 80, '10.0.0.1:80'],
  ['::1', 80, '[::1]:80'],
  ['example.com', 'https', 'example.com:https'],
  ['', 80, ':80'],
])('joins %s and %s to %s', (host, port, text) => {
  expect(joinHostPort(host, port)).toBe(text);
});

test('puts only an IPv6 address in brackets', () => {
  expect(['fe80::1', '10.0.0.1', 'a'].map(bracketed)).toEqual(['[fe80::1]', '10.0.0.1', 'a']);
});

test.each([
  ['localhost', true, false],
  ['127.0.0.2', true, false],
  ['::1', true, false],
  ['::ffff:127.0.0.1', true, false],
  ['0.0.0.0', false, true],
  ['::', false, true],
  ['10.0.0.1', false, false],
  ['127.example.com', false, false],
])('recognizes %s as a loopback host (%s) or an unspecified one (%s)', (host, loopback, unspecified) => {
  expect([isLoopbackHost(host), isUnspecifiedHost(host)]).toEqual([loopback, unspecified]);
});
