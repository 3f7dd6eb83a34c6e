import { expect, test } from 'vitest';
import { connectObject, PORT_FORWARD } from './connect-options.ts';

const portsOf = (query: string): unknown => connectObject(PORT_FORWARD, new URLSearchParams(query), [])['ports'];

test('reads ports from several parameters and from one list', () => {
  expect(portsOf('ports=80&ports=81,65535')).toEqual([80, 81, 65_535]);
});

test.each([
  ['-1', 'invalid syntax'],
  ['', 'invalid syntax'],
  ['80&x', 'invalid syntax'],
  ['0x50', 'invalid syntax'],
  ['65536', 'value out of range'],
  ['99999999999999999999', 'value out of range'],
])('rejects %j as a port', (text, why) => {
  expect(() => portsOf(`ports=${encodeURIComponent(text)}`)).toThrow(
    `cannot convert to []int32: strconv.ParseUint: parsing "${text}": ${why}`,
  );
});
