import { expect, test } from 'vitest';
import { parseAddrSloppy } from './parse-addr.ts';
import { isGlobalUnicast, isLinkLocalMulticast, isLinkLocalUnicast, isLoopback, isUnspecified } from './scope.ts';

const SCOPES = { isUnspecified, isLoopback, isLinkLocalUnicast, isLinkLocalMulticast, isGlobalUnicast };

/** The scopes of an address in Go. */
const CASES: readonly (readonly [address: string, ...scopes: (keyof typeof SCOPES)[]])[] = [
  ['0.0.0.0', 'isUnspecified'],
  ['::', 'isUnspecified'],
  ['127.255.255.255', 'isLoopback'],
  ['::1', 'isLoopback'],
  ['::ffff:127.0.0.1', 'isLoopback'],
  ['169.254.1.1', 'isLinkLocalUnicast'],
  ['169.253.1.1', 'isGlobalUnicast'],
  ['febf::1', 'isLinkLocalUnicast'],
  ['fec0::1', 'isGlobalUnicast'],
  ['224.0.0.255', 'isLinkLocalMulticast'],
  ['224.0.1.0'],
  ['ff12::1', 'isLinkLocalMulticast'],
  ['ff05::1'],
  ['255.255.255.255'],
  ['240.0.0.1', 'isGlobalUnicast'],
  ['10.0.0.1', 'isGlobalUnicast'],
  ['1::', 'isGlobalUnicast'],
  ['::2', 'isGlobalUnicast'],
  ['::ffff:169.254.169.254', 'isLinkLocalUnicast'],
];

test.each(CASES)('puts %s in the scopes of Go', (text, ...expected) => {
  const addr = parseAddrSloppy(text);
  const found = Object.entries(SCOPES).flatMap(([name, is]) => (addr !== undefined && is(addr) ? [name] : []));
  expect(found).toEqual(expected);
});
