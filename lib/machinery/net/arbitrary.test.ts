import { BlockList, isIP } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Addr, addrAfter, addrOf, addrOfBits, bitLength, bitsOf, sameAddr, unmapped } from './addr.ts';
import { addrText } from './addr-text.ts';
import { isAddr, parseAddr, parseAddrSloppy, parseIP, parseIPSloppy } from './parse-addr.ts';
import { parseCIDRSloppy, parsePrefix } from './parse-prefix.ts';
import {
  contains,
  containsPrefix,
  lastAddr,
  masked,
  networkText,
  overlaps,
  type Prefix,
  prefixText,
} from './prefix.ts';
import { type AddrRange, merged, rangeOf, without } from './range.ts';
import { subnetAt, subnetCount, subnetIndex } from './subnets.ts';

/** Bytes with many zeros and ones, so that runs of zeros, mapped addresses and equal prefixes are frequent. */
const byte = fc.oneof(fc.constantFrom(0, 0, 0xff, 1), fc.nat(255));
const addrs = (length: 4 | 16): fc.Arbitrary<Addr> =>
  fc.array(byte, { minLength: length, maxLength: length }).map(addrOf);
const addr = fc.oneof(addrs(4), addrs(16));
const prefixOf = (one: Addr): fc.Arbitrary<Prefix> =>
  fc.nat(bitLength(one.family)).map((length) => ({ addr: one, length }));
const prefix = addr.chain(prefixOf);
/** Two prefixes of one family, the second of which often begins with the bits of the first. */
const prefixes = fc.oneof(addrs(4), addrs(16)).chain((one) => {
  const other = addrs(one.bytes.length === 4 ? 4 : 16);
  const near = fc
    .tuple(other, fc.nat(one.bytes.length))
    .map(([{ bytes }, same]) => addrOf([...one.bytes.slice(0, same), ...bytes.slice(same)]));
  return fc.tuple(prefixOf(one), near.chain(prefixOf));
});
const nearAddress = fc.string({
  unit: fc.constantFrom(...'0 1 2 5 9 . : a F ffff 1.2.3.4 ::'.split(' ')),
  maxLength: 16,
});

describe('addresses with arbitrary bytes', () => {
  test('are read from their own text', () => {
    fc.assert(
      fc.property(addr, (one) => {
        const text = addrText(one);
        expect(parseAddr(text)).toEqual(one);
        expect(parseAddrSloppy(text)).toEqual(one);
        expect(parseIP(text)).toEqual(unmapped(one));
      }),
    );
  });

  test('are accepted exactly if Node accepts them', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(nearAddress, fc.ipV4(), fc.ipV6()), (text) => {
        expect(isAddr(text)).toBe(isIP(text) !== 0);
        if (isAddr(text)) accepted += 1;
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  test('are parsed to the same value with both grammars if Go accepts them in both', () => {
    fc.assert(
      fc.property(fc.oneof(nearAddress, fc.ipV4(), fc.ipV6()), (text) => {
        const strict = parseIP(text);
        fc.pre(strict !== undefined);
        expect(parseIPSloppy(text)).toEqual(strict);
      }),
    );
  });

  test('are the same with leading zeros in the sloppy grammar, and faults in the other', () => {
    fc.assert(
      fc.property(addrs(4), fc.integer({ min: 1, max: 80 }), (one, zeros) => {
        const text = one.bytes.map((octet) => `${'0'.repeat(zeros)}${octet}`).join('.');
        expect(parseIPSloppy(text)).toEqual(one);
        expect(parseIP(text)).toBeUndefined();
      }),
    );
  });
});

describe('prefixes of arbitrary length', () => {
  test('are read from their own text', () => {
    fc.assert(
      fc.property(prefix, (one) => {
        expect(parsePrefix(prefixText(one))).toEqual(one);
        const network = parseCIDRSloppy(networkText(one));
        expect(network && networkText(network)).toBe(networkText(one));
      }),
    );
  });

  test('contain their first and last address, and no other network of their length', () => {
    fc.assert(
      fc.property(prefixes, ([one, { addr: other }]) => {
        expect([contains(one, masked(one).addr), contains(one, one.addr), contains(one, lastAddr(one))]).toEqual([
          true,
          true,
          true,
        ]);
        const same = sameAddr(masked({ ...one, addr: other }).addr, masked(one).addr);
        expect(contains(one, other)).toBe(same);
      }),
    );
  });

  test('contain the addresses that a BlockList of Node contains', () => {
    fc.assert(
      fc.property(prefixes, ([one, { addr: other }]) => {
        const family = one.addr.family === 4 ? 'ipv4' : 'ipv6';
        const list = new BlockList();
        list.addSubnet(addrText(one.addr), one.length, family);
        expect(contains(one, other)).toBe(list.check(addrText(other), family));
      }),
    );
  });

  test('overlap exactly if their first and last addresses do', () => {
    fc.assert(
      fc.property(prefixes, ([one, other]) => {
        const [[first, last], [start, end]] = [one, other].map((each) =>
          [masked(each).addr, lastAddr(each)].map(bitsOf),
        ) as [[bigint, bigint], [bigint, bigint]];
        expect(overlaps(one, other)).toBe(first <= end && start <= last);
        expect(containsPrefix(one, other)).toBe(first <= start && end <= last);
      }),
    );
  });
});

describe('numbers of addresses', () => {
  test('are the same addresses again', () => {
    fc.assert(
      fc.property(addr, (one) => {
        expect(addrOfBits(one.family, bitsOf(one))).toEqual(one);
      }),
    );
  });

  test('grow with addrAfter, and wrap around after the last address', () => {
    fc.assert(
      fc.property(addr, fc.maxSafeNat(), fc.nat(31), (one, large, blockBits) => {
        const count = large % 2 ** 45;
        const sum = bitsOf(one) + (BigInt(count) << BigInt(blockBits));
        expect(addrAfter(one, count, blockBits)).toEqual(addrOfBits(one.family, sum));
      }),
    );
  });
});

describe('subnets of a network', () => {
  test('have the index that they were created with, and no other network has it', () => {
    fc.assert(
      fc.property(prefix, fc.nat(16), fc.nat(), (network, more, any) => {
        const length = Math.min(network.length + more, bitLength(network.addr.family));
        const index = any % subnetCount(network, length);
        const subnet = subnetAt(network, length, index);
        expect([containsPrefix(network, subnet), subnetIndex(network, length, subnet)]).toEqual([true, index]);
        expect(subnetIndex(network, length, network)).toBe(0);
      }),
    );
  });
});

/** Ranges near each other, so that they often touch or overlap. */
const ranges = fc.array(
  fc
    .tuple(fc.nat(40), fc.nat(10))
    .map(([first, size]): AddrRange => ({ family: 4, first: BigInt(first), last: BigInt(first + size) })),
  { maxLength: 6 },
);
const has = (all: readonly AddrRange[], bits: bigint): boolean =>
  all.some(({ first, last }) => first <= bits && bits <= last);
const SOME = Array.from({ length: 52 }, (_, i) => BigInt(i));

describe('ranges of addresses', () => {
  test('have exactly the addresses of their network', () => {
    fc.assert(
      fc.property(prefixes, ([network, { addr: other }]) => {
        const { first, last } = rangeOf(network);
        expect(first <= bitsOf(other) && bitsOf(other) <= last).toBe(contains(network, other));
      }),
    );
  });

  test('keep their addresses when they are merged, with gaps between them', () => {
    fc.assert(
      fc.property(ranges, (all) => {
        const parts = merged(all);
        expect(SOME.filter((bits) => has(parts, bits))).toEqual(SOME.filter((bits) => has(all, bits)));
        expect(parts.every(({ first }, i) => i === 0 || (parts[i - 1]?.last ?? 0n) + 1n < first)).toBe(true);
      }),
    );
  });

  test('lose exactly the addresses of the holes', () => {
    fc.assert(
      fc.property(ranges, ranges, ([range], holes) => {
        fc.pre(range !== undefined);
        const left = SOME.filter((bits) => has([range], bits) && !has(holes, bits));
        expect(SOME.filter((bits) => has(without(range, holes), bits))).toEqual(left);
      }),
    );
  });
});
