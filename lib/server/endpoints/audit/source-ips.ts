import { isIpv4, isIpv6 } from '#lib/api/schema/format-addresses.ts';
import type { ApiRequest } from '../api.ts';

/** Upstream's SourceIPs: what proxies say, then who is connected. All but the last are the client's own words. */
export function sourceIPs({ headers, remoteAddress = '' }: ApiRequest): readonly string[] {
  const found = (headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(isIpAddress);
  const real = headers['x-real-ip'] ?? '';
  if (isIpAddress(real) && !found.includes(real)) found.push(real);
  const remote = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '');
  if (remote !== '' && found.at(-1) !== remote) found.push(remote);
  return found;
}

const isIpAddress = (text: string): boolean => isIpv4(text) || isIpv6(text);
