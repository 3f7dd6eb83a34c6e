import { expect, test } from 'vitest';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { sourceIPs } from './source-ips.ts';

test.each<[forwarded: string, real: string, remote: string, expected: string[]]>([
  ['1.2.3.4, bad, 5.6.7.8', '9.9.9.9', '127.0.0.1', ['1.2.3.4', '5.6.7.8', '9.9.9.9', '127.0.0.1']],
  ['::ffff:1.2.3.4, 2001:DB8::0:1', '', '10.0.0.1', ['1.2.3.4', '2001:db8::1', '10.0.0.1']],
  ['010.0.0.1', '10.0.0.1', '::ffff:10.0.0.1', ['10.0.0.1']],
  ['', 'x', '::1', ['::1']],
  ['', '', '', []],
])('reads "%s", "%s" and the peer "%s" as %j', (forwarded, real, remoteAddress, expected) => {
  const headers = { 'x-forwarded-for': forwarded, 'x-real-ip': real };
  const request: Pick<ApiRequest, 'headers' | 'connection'> = { headers, connection: { remoteAddress } };
  expect(sourceIPs(request)).toEqual(expected);
});
