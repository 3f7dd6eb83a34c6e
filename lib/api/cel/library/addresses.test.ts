import { describe, expect, test } from 'vitest';
import { evaluated } from '../testing/evaluated.ts';

/** An expression, its result in upstream 1.36, and its cost there. */
const cases: readonly (readonly [string, unknown, number])[] = [
  [
    'cidr("1.2.3/8").containsIP("x")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("1.2.3/8"): ParseAddr("1.2.3"): IPv4 address too short',
    },
    3,
  ],
  [
    'cidr("10.0.0.0").containsCIDR("10.1.2.3/8")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0"): no \'/\'',
    },
    5,
  ],
  [
    'cidr("10.0.0.0/").prefixLength()',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/"): bad bits after slash: ""',
    },
    2,
  ],
  [
    'cidr("10.0.0.0/-1").containsCIDR("10.1.2.3/8")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/-1"): bad bits after slash: "-1"',
    },
    6,
  ],
  [
    'cidr("10.0.0.0/-1").containsIP("::1")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/-1"): bad bits after slash: "-1"',
    },
    4,
  ],
  [
    'cidr("10.0.0.0/08").prefixLength()',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/08"): bad bits after slash: "08"',
    },
    3,
  ],
  [
    'cidr("10.0.0.0/33").containsIP("x")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/33"): prefix length out of range',
    },
    4,
  ],
  ['cidr("10.0.0.0/8").containsCIDR("10.0.0.0/7")', false, 5],
  ['cidr("10.0.0.0/8").containsCIDR("10.2.3.4/16")', true, 6],
  ['cidr("10.0.0.0/8").prefixLength()', 8, 2],
  [
    'cidr("10.0.0.0/8/8").containsCIDR("0.0.0.0/0")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/8/8"): ParseAddr("10.0.0.0/8"): unexpected character (at "/8")',
    },
    6,
  ],
  [
    'cidr("10.0.0.0/8/8").containsCIDR("2001:db8::5/64")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/8/8"): ParseAddr("10.0.0.0/8"): unexpected character (at "/8")',
    },
    7,
  ],
  [
    'cidr("10.0.0.0/8/8").containsIP("x")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/8/8"): ParseAddr("10.0.0.0/8"): unexpected character (at "/8")',
    },
    4,
  ],
  [
    'cidr("10.0.0.0/a").containsCIDR("10.0.0.0/7")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/a"): bad bits after slash: "a"',
    },
    5,
  ],
  [
    'cidr("10.0.0.0/a").containsCIDR("x")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/a"): bad bits after slash: "a"',
    },
    5,
  ],
  [
    'cidr("10.0.0.0/a").containsIP("11.0.0.1")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/a"): bad bits after slash: "a"',
    },
    3,
  ],
  ['cidr("10.1.2.3/8").containsCIDR("0.0.0.0/0")', false, 5],
  ['cidr("10.1.2.3/8").containsIP("2001:db8::5")', false, 4],
  ['cidr("10.1.2.3/8").prefixLength()', 8, 2],
  [
    'cidr("2001:db8::/32").containsCIDR("x")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("x"): no \'/\'',
    },
    6,
  ],
  [
    'cidr("2001:db8::1/129").containsCIDR("0.0.0.0/0")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("2001:db8::1/129"): prefix length out of range',
    },
    6,
  ],
  [
    'cidr("::ffff:1.2.3.0/120").containsCIDR("0.0.0.0/0")',
    {
      error:
        'network address parse error during conversion from string: IPv4-mapped IPv6 address "::ffff:1.2.3.0/120" is not allowed',
    },
    6,
  ],
  [
    'cidr("::ffff:1.2.3.0/120").containsIP("x")',
    {
      error:
        'network address parse error during conversion from string: IPv4-mapped IPv6 address "::ffff:1.2.3.0/120" is not allowed',
    },
    4,
  ],
  [
    'cidr("fe80::%a/10").containsIP("2001:db8::5")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("fe80::%a/10"): IPv6 zones cannot be present in a prefix',
    },
    5,
  ],
  [
    'cidr("fe80::%a/10").containsIP("x")',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("fe80::%a/10"): IPv6 zones cannot be present in a prefix',
    },
    4,
  ],
  [
    'ip("").isGlobalUnicast()',
    { error: 'IP Address "" parse error during conversion from string: ParseAddr(""): unable to parse IP' },
    1,
  ],
  [
    'ip("%eth0").isGlobalUnicast()',
    { error: 'IP Address "%eth0" parse error during conversion from string: ParseAddr("%eth0"): missing IPv6 address' },
    2,
  ],
  [
    'ip("01.2.3.4").family()',
    {
      error:
        'IP Address "01.2.3.4" parse error during conversion from string: ParseAddr("01.2.3.4"): IPv4 field has octet with leading zero',
    },
    2,
  ],
  ['ip("0:0:1::").family()', 6, 2],
  [
    'ip("1.2.3").isLinkLocalMulticast()',
    {
      error: 'IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short',
    },
    2,
  ],
  ['ip("1.2.3.4").isGlobalUnicast()', true, 2],
  ['ip("1.2.3.4").isLinkLocalMulticast()', false, 2],
  [
    'ip("1.2.3.4.5").isLinkLocalMulticast()',
    {
      error:
        'IP Address "1.2.3.4.5" parse error during conversion from string: ParseAddr("1.2.3.4.5"): IPv4 address too long',
    },
    2,
  ],
  [
    'ip("12345::").isLoopback()',
    {
      error:
        'IP Address "12345::" parse error during conversion from string: ParseAddr("12345::"): each group must have 4 or less digits (at "12345::")',
    },
    2,
  ],
  ['ip("127.0.0.1").isLinkLocalUnicast()', false, 2],
  ['ip("1:0:2:0:3:0:4:0").isGlobalUnicast()', true, 3],
  [
    'ip("1:2:3:4:5:6:7").isGlobalUnicast()',
    {
      error:
        'IP Address "1:2:3:4:5:6:7" parse error during conversion from string: ParseAddr("1:2:3:4:5:6:7"): address string too short',
    },
    3,
  ],
  [
    'ip("1:2:3:4:5:6:7").isLinkLocalUnicast()',
    {
      error:
        'IP Address "1:2:3:4:5:6:7" parse error during conversion from string: ParseAddr("1:2:3:4:5:6:7"): address string too short',
    },
    3,
  ],
  ['ip("1:2:3:4:5:6:7:8").family()', 6, 3],
  ['ip("1:2:3:4:5:6:7:8").isGlobalUnicast()', true, 3],
  ['ip("1:2:3:4:5:6:7::").isUnspecified()', false, 3],
  ['ip("1::").isUnspecified()', false, 2],
  ['ip("1::0:0:2").isLinkLocalMulticast()', false, 2],
  ['ip("::").family()', 6, 2],
  [
    'ip("::1.2.3").isUnspecified()',
    {
      error:
        'IP Address "::1.2.3" parse error during conversion from string: ParseAddr("::1.2.3"): IPv4 address too short',
    },
    2,
  ],
  ['ip("::ffff:0:0").isUnspecified()', { error: 'IPv4-mapped IPv6 address "::ffff:0:0" is not allowed' }, 2],
  ['ip("::ffff:1.2.3.4").family()', { error: 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed' }, 3],
  ['ip("fe80::1%eth0").family()', { error: 'IP address "fe80::1%eth0" with zone value is not allowed' }, 3],
  ['ip("febf::1").isLinkLocalMulticast()', false, 2],
  ['ip("fec0::1").family()', 6, 2],
  [
    'ip.isCanonical("%eth0")',
    { error: 'IP Address "%eth0" parse error during conversion from string: ParseAddr("%eth0"): missing IPv6 address' },
    1,
  ],
  [
    'ip.isCanonical("1:2:3:4:5:6:7")',
    {
      error:
        'IP Address "1:2:3:4:5:6:7" parse error during conversion from string: ParseAddr("1:2:3:4:5:6:7"): address string too short',
    },
    3,
  ],
  ['ip.isCanonical("1::0:0:2")', false, 2],
  [
    'ip.isCanonical("::1.2.3")',
    {
      error:
        'IP Address "::1.2.3" parse error during conversion from string: ParseAddr("::1.2.3"): IPv4 address too short',
    },
    2,
  ],
  ['isCIDR("10.0.0.0/8/8")', false, 2],
  ['isIP("12345::")', false, 1],
  ['isIP("1:2:3:4:5:6:7:8::")', false, 2],
  ['isIP("2001:DB8:0:0:0:0:0:1")', true, 2],
  ['isIP("::ffff:1.2.3.4")', false, 2],
  ['isIP("abc")', false, 1],
  [
    'string(cidr("10.0.0.0/").ip())',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/"): bad bits after slash: ""',
    },
    3,
  ],
  [
    'string(cidr("10.0.0.0/33").masked())',
    {
      error:
        'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/33"): prefix length out of range',
    },
    4,
  ],
  ['string(cidr("10.1.2.3/8").masked())', '10.0.0.0/8', 3],
  [
    'string(cidr("::ffff:1.2.3.0/120"))',
    {
      error:
        'network address parse error during conversion from string: IPv4-mapped IPv6 address "::ffff:1.2.3.0/120" is not allowed',
    },
    3,
  ],
  ['string(ip("0:0:1::"))', '0:0:1::', 2],
  ['string(ip("1.2.3.4"))', '1.2.3.4', 2],
  [
    'string(ip("1:2:3:4:5:6:7:1.2.3.4"))',
    {
      error:
        'IP Address "1:2:3:4:5:6:7:1.2.3.4" parse error during conversion from string: ParseAddr("1:2:3:4:5:6:7:1.2.3.4"): embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")',
    },
    4,
  ],
  ['string(ip("255.255.255.255"))', '255.255.255.255', 3],
  ['string(ip("::"))', '::', 2],
  [
    'string(ip("fe80::1%"))',
    {
      error:
        'IP Address "fe80::1%" parse error during conversion from string: ParseAddr("fe80::1%"): zone must be a non-empty string',
    },
    2,
  ],
];

describe('library of IP addresses and CIDRs', () => {
  test.each(cases)('evaluates the expression %s', (expression, value, cost) => {
    expect(evaluated(expression)).toEqual({ value, cost });
  });
});
