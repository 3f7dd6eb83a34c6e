import { expect, test } from 'vitest';
import { alternativeNames } from './issue.ts';

test.each([
  ['127.0.0.1', 'ip'],
  ['fd00::1', 'ip'],
  ['node.example.com', 'dns'],
  ['2026', 'dns'],
  ['10.0', 'dns'],
])('puts %s into a certificate as %s', (value, type) => {
  expect(alternativeNames([value]).names.toJSON()).toEqual([{ type, value }]);
});
