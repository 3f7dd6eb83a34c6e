import { describe, expect, test } from 'vitest';
import { Fault } from '../fault.ts';
import { addrText } from './addr-text.ts';
import { mustParsePrefix, parseCIDR, parseCIDRSloppy, parsePrefix } from './parse-prefix.ts';
import { lastAddr, masked, networkText, overlaps, prefixText } from './prefix.ts';

describe('parsePrefix of netip', () => {
  test.each([
    ['10.0.0.0', "no '/'"],
    ['10.0.0/8', 'ParseAddr("10.0.0"): IPv4 address too short'],
    ['fe80::1%eth0/64', 'IPv6 zones cannot be present in a prefix'],
    ['10.0.0.0/', 'bad bits after slash: ""'],
    ['10.0.0.0/08', 'bad bits after slash: "08"'],
    ['10.0.0.0/33', 'prefix length out of range'],
  ])('rejects %s with the text of Go', (text, message) => {
    expect(parsePrefix(text)).toEqual(new Fault(`netip.ParsePrefix("${text}"): ${message}`));
    expect(() => mustParsePrefix(text)).toThrow(TypeError);
  });
});

/** A text, and the results of parseCIDR and parseCIDRSloppy. */
const CASES: readonly (readonly [text: string, strict: string | undefined, sloppy: string | undefined])[] = [
  ['10.1.2.3/8', '10.1.2.3/8', '10.1.2.3/8'],
  ['10.1.2.3/08', '10.1.2.3/8', '10.1.2.3/8'],
  ['010.1.2.3/8', undefined, '10.1.2.3/8'],
  ['0.0.0.0/0', '0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8::/64', '2001:db8::/64', '2001:db8::/64'],
  ['::ffff:10.0.0.1/104', '10.0.0.1/8', '10.0.0.1/8'],
  ['::ffff:10.0.0.1/95', '::ffff:10.0.0.1/95', '::ffff:10.0.0.1/95'],
  ['10.0.0.0/33', undefined, undefined],
  ['::/129', undefined, undefined],
  ['::/-1', undefined, undefined],
  ['10.0.0.0/', undefined, undefined],
  ['10.0.0.0', undefined, undefined],
  ['fe80::1%eth0/64', undefined, undefined],
  ['10.0.0.0/8/8', undefined, undefined],
];

describe('parseCIDR of net and netutils', () => {
  test.each(CASES)('reads %s as %s, and sloppily as %s', (text, strict, sloppy) => {
    const read = [parseCIDR(text), parseCIDRSloppy(text)];
    expect(read.map((prefix) => prefix && prefixText(prefix))).toEqual([strict, sloppy]);
  });
});

describe('the network of a prefix', () => {
  test.each([
    ['10.255.7.9/12', '10.240.0.0/12', '10.255.255.255'],
    ['10.0.0.1/32', '10.0.0.1/32', '10.0.0.1'],
    ['2001:db8::1/33', '2001:db8::/33', '2001:db8:7fff:ffff:ffff:ffff:ffff:ffff'],
    ['::ffff:10.0.0.1/95', '::fffe:0:0/95', '::ffff:255.255.255.255'],
  ])('%s has the network %s and the last address %s', (text, network, last) => {
    const prefix = mustParsePrefix(text);
    expect([networkText(prefix), addrText(lastAddr(prefix))]).toEqual([network, last]);
    expect(prefixText(masked(prefix))).toBe(network);
  });

  test.each([
    ['10.0.0.0/8', '10.1.0.0/16', true],
    ['10.0.0.0/8', '11.0.0.0/8', false],
    ['0.0.0.0/0', '::/0', false],
    ['10.1.2.3/8', '10.9.9.9/8', true],
  ])('%s overlaps with %s: %s', (a, b, expected) => {
    const [one, other] = [mustParsePrefix(a), mustParsePrefix(b)];
    expect([overlaps(one, other), overlaps(other, one)]).toEqual([expected, expected]);
  });
});
