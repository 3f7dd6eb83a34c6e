import { describe, expect, test } from 'vitest';
import { Fault } from '../fault.ts';
import { addrText } from './addr-text.ts';
import { isAddr, parseAddr, parseAddrSloppy, parseIP, parseIPSloppy } from './parse-addr.ts';

const TOO_LONG = 'each group must have 4 or less digits';
const ZERO = 'IPv4 field has octet with leading zero';

describe('parseAddr of netip', () => {
  test.each([
    ['10.9.8.7', '10.9.8.7'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::', '::'],
    ['1::', '1::'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['::ffff:1.2.3.4', '::ffff:1.2.3.4'],
    ['::ffff:102:304', '::ffff:1.2.3.4'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['::ffff:1.2.3.4%eth0', '::ffff:1.2.3.4%eth0'],
  ])('reads %s as %s', (text, expected) => {
    const addr = parseAddr(text);
    expect(addr instanceof Fault ? addr : addrText(addr)).toBe(expected);
    expect(isAddr(text)).toBe(true);
  });

  test.each([
    ['', 'unable to parse IP'],
    ['%eth0', 'missing IPv6 address'],
    ['::%', 'zone must be a non-empty string'],
    ['1.2.3', 'IPv4 address too short'],
    ['1.2.3.4.5', 'IPv4 address too long'],
    ['1.2.3.256', 'IPv4 field has value >255'],
    ['1.2.3.04', ZERO],
    ['1..2.3', 'IPv4 field must have at least one digit (at ".2.3")'],
    ['1.2.3.', 'IPv4 field must have at least one digit (at ".")'],
    ['1.2.3.4%eth0', 'unexpected character (at "%eth0")'],
    ['12345::', `${TOO_LONG} (at "12345::")`],
    ['1:2', 'address string too short'],
    ['1:2:', 'colon must be followed by more characters (at ":")'],
    ['1:g::', 'each colon-separated field must have at least one digit (at "g::")'],
    ['1g::', 'unexpected character, want colon (at "g::")'],
    ['::1::', 'multiple :: in address (at ":")'],
    ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
    ['1:2:3:4:5:6:7::8', 'the :: must expand to at least one field of zeros'],
    ['1:2.3.4.5', 'embedded IPv4 address must replace the final 2 fields of the address (at "2.3.4.5")'],
    ['::1:2:3:4:5:6:7:1.2.3.4', 'too many hex fields to fit an embedded IPv4 at the end of the address (at "1.2.3.4")'],
    ['::01.2.3.4', ZERO],
  ])('rejects "%s" with the text of Go', (text, message) => {
    expect(parseAddr(text)).toEqual(new Fault(`ParseAddr("${text}"): ${message}`));
    expect(isAddr(text)).toBe(false);
  });
});

describe('parseIPSloppy of netutils', () => {
  test.each([
    ['010.9.8.7', '10.9.8.7'],
    ['0000000000000000000000000000000000000000000000000000000000000000001.2.3.4', '1.2.3.4'],
    ['::00001', '::1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::ffff:01.2.3.4', '1.2.3.4'],
    ['::ffff:102:304', '1.2.3.4'],
    ['1.2.3.256', undefined],
    ['::10000', undefined],
    ['1.2.3', undefined],
    ['1.2.3.4 ', undefined],
    ['fe80::1%eth0', undefined],
    ['example.com', undefined],
    ['', undefined],
  ])('reads %s as %s', (text, expected) => {
    const addr = parseIPSloppy(text);
    expect(addr && addrText(addr)).toBe(expected);
  });

  test('leaves an IPv4-mapped address to parseAddrSloppy', () => {
    const mapped = parseAddrSloppy('::ffff:01.2.3.4');
    expect(mapped && addrText(mapped)).toBe('::ffff:1.2.3.4');
  });
});

describe('parseIP of net', () => {
  test.each([
    ['10.9.8.7', '10.9.8.7'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['010.9.8.7', undefined],
    ['::00001', undefined],
    ['fe80::1%eth0', undefined],
  ])('reads %s as %s', (text, expected) => {
    const addr = parseIP(text);
    expect(addr && addrText(addr)).toBe(expected);
  });
});
