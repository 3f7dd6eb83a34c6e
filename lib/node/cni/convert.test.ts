import { expect, test } from 'vitest';
import { marshal } from '#lib/machinery/go.ts';
import { convertResult, encodeResult } from './convert.ts';
import { createResult } from './result.ts';

/** A result and its text in other versions, as written by libcni 1.3.0. */
const RECORDED: readonly (readonly [name: string, given: object, texts: Readonly<Record<string, string>>])[] = [
  [
    'of two families',
    {
      cniVersion: '1.1.0',
      interfaces: [
        { name: 'eth0', mac: '0a:58', mtu: 1400, sandbox: '/ns', socketPath: '/s', pciID: 'p' },
        { name: 'br<0>' },
      ],
      ips: [
        { interface: 0, address: '10.0.0.2/24', gateway: '10.0.0.1' },
        { address: 'fd00:0:0::2/64' },
        { address: '10.0.1.2/24' },
      ],
      routes: [{ dst: '0.0.0.0/0', gw: '10.0.0.1', mtu: 1300, priority: 5, table: 0, scope: 0 }, { dst: '::/0' }],
      dns: { nameservers: ['1.1.1.1'], search: [] },
      other: 1,
    },
    {
      '0.1.0':
        '{"cniVersion":"0.1.0","dns":{"nameservers":["1.1.1.1"]},"ip4":{"gateway":"10.0.0.1","ip":"10.0.0.2/24","routes":[{"dst":"0.0.0.0/0","gw":"10.0.0.1"}]},"ip6":{"ip":"fd00::2/64","routes":[{"dst":"::/0"}]}}',
      '0.4.0':
        '{"cniVersion":"0.4.0","dns":{"nameservers":["1.1.1.1"]},"interfaces":[{"mac":"0a:58","name":"eth0","sandbox":"/ns"},{"name":"br\\u003c0\\u003e"}],"ips":[{"address":"10.0.0.2/24","gateway":"10.0.0.1","interface":0,"version":"4"},{"address":"fd00::2/64","version":"6"},{"address":"10.0.1.2/24","version":"4"}],"routes":[{"dst":"0.0.0.0/0","gw":"10.0.0.1","mtu":1300,"priority":5,"scope":0,"table":0},{"dst":"::/0"}]}',
      '1.0.0':
        '{"cniVersion":"1.0.0","dns":{"nameservers":["1.1.1.1"]},"interfaces":[{"mac":"0a:58","mtu":1400,"name":"eth0","pciID":"p","sandbox":"/ns","socketPath":"/s"},{"name":"br\\u003c0\\u003e"}],"ips":[{"address":"10.0.0.2/24","gateway":"10.0.0.1","interface":0},{"address":"fd00::2/64"},{"address":"10.0.1.2/24"}],"routes":[{"dst":"0.0.0.0/0","gw":"10.0.0.1","mtu":1300,"priority":5,"scope":0,"table":0},{"dst":"::/0"}]}',
      '9.9.9': 'no converter for CNI result version 1.1.0 to 9.9.9',
    },
  ],
  [
    'of 0.4.0',
    {
      cniVersion: '0.4.0',
      interfaces: [{ name: 'eth0', mtu: 1400 }],
      ips: [{ version: '4', interface: 0, address: '10.0.0.2/24' }],
    },
    {
      '0.2.0': '{"cniVersion":"0.2.0","dns":{},"ip4":{"ip":"10.0.0.2/24"}}',
      '0.3.1':
        '{"cniVersion":"0.3.1","dns":{},"interfaces":[{"name":"eth0"}],"ips":[{"address":"10.0.0.2/24","interface":0,"version":"4"}]}',
      '1.1.0': '{"cniVersion":"1.1.0","interfaces":[{"name":"eth0"}],"ips":[{"address":"10.0.0.2/24","interface":0}]}',
    },
  ],
  [
    'of 0.2.0',
    {
      cniVersion: '0.2.0',
      ip4: { ip: '10.0.0.2/24', gateway: '10.0.0.1', routes: [{ dst: '0.0.0.0/0' }] },
      dns: { domain: 'x' },
    },
    {
      '0.1.0':
        '{"cniVersion":"0.1.0","dns":{"domain":"x"},"ip4":{"gateway":"10.0.0.1","ip":"10.0.0.2/24","routes":[{"dst":"0.0.0.0/0"}]}}',
      '0.3.0':
        '{"cniVersion":"0.3.0","dns":{"domain":"x"},"ips":[{"address":"10.0.0.2/24","gateway":"10.0.0.1","version":"4"}],"routes":[{"dst":"0.0.0.0/0"}]}',
      '1.0.0':
        '{"cniVersion":"1.0.0","dns":{"domain":"x"},"ips":[{"address":"10.0.0.2/24","gateway":"10.0.0.1"}],"routes":[{"dst":"0.0.0.0/0"}]}',
    },
  ],
  [
    'without a version',
    { ip6: { ip: 'fd00::2/64' } },
    {
      '0.1.0': '{"cniVersion":"0.1.0","dns":{},"ip6":{"ip":"fd00::2/64"}}',
      '0.4.0': '{"cniVersion":"0.4.0","dns":{},"ips":[{"address":"fd00::2/64","version":"6"}]}',
    },
  ],
  [
    'without addresses',
    { cniVersion: '1.0.0' },
    {
      '0.2.0': 'cannot convert: no valid IP addresses',
      '0.3.0': '{"cniVersion":"0.3.0","dns":{}}',
      '1.1.0': '{"cniVersion":"1.1.0"}',
    },
  ],
];

test.each(RECORDED)('writes a result %s in each version like libcni', (_, given, texts) => {
  const version = 'cniVersion' in given ? String(given.cniVersion) : '';
  const result = createResult(version, Buffer.from(JSON.stringify(given)));
  const converted = Object.keys(texts).map((to) => {
    try {
      return [to, marshal(encodeResult(convertResult(result, to)))];
    } catch (error) {
      return [to, error instanceof Error ? error.message : ''];
    }
  });
  expect(Object.fromEntries(converted)).toEqual(texts);
});

test.each([
  ['1.2.0', {}, 'unsupported CNI result version "1.2.0"'],
  ['1.0.0', { cniVersion: '0.4.0' }, 'result type supports [1.0.0 1.1.0] but unmarshalled CNIVersion is "0.4.0"'],
  ['1.0.0', { cniVersion: '1.0.0', ips: [{ address: '10.0.0.2' }] }, 'invalid CIDR address: 10.0.0.2'],
  ['1.0.0', { cniVersion: '1.0.0', ips: [{ address: '10.0.0.2/24', gateway: 'x' }] }, 'invalid IP address: x'],
  ['1.0.0', { cniVersion: '1.0.0', ips: [{ address: '10.0.0.02/24' }] }, 'invalid CIDR address: 10.0.0.02/24'],
  ['1.0.0', { cniVersion: '1.0.0', ips: {} }, 'cannot unmarshal ips into list'],
  ['1.0.0', { cniVersion: '1.0.0', ips: ['a'] }, 'cannot unmarshal ips into list of objects'],
  ['1.0.0', { cniVersion: '1.0.0', interfaces: [{ name: 1 }] }, 'cannot unmarshal name into string'],
  ['1.0.0', { cniVersion: '1.0.0', dns: { search: [1] } }, 'cannot unmarshal search into list of strings'],
  ['1.0.0', { cniVersion: '1.0.0', interfaces: [{ name: 'a', mtu: 1.5 }] }, 'cannot unmarshal mtu into int'],
  ['0.2.0', { ip4: 'a' }, 'cannot unmarshal ip4 into object'],
])('rejects a result of version %s: %j', (version, given, message) => {
  expect(() => createResult(version, Buffer.from(JSON.stringify(given)))).toThrow(message);
});

test('reads a prefix length with a leading zero, like Go', () => {
  const given = { cniVersion: '1.0.0', ips: [{ address: '10.0.0.2/024' }] };
  expect(createResult('1.0.0', Buffer.from(JSON.stringify(given)))).toMatchObject({
    ips: [{ address: '10.0.0.2/24' }],
  });
});

test('rejects a result with unlimited nesting', () => {
  const deep = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`;
  expect(() => createResult('1.0.0', Buffer.from(deep))).toThrow('exceeded max depth');
});
