import { isIpv4, isIpv6 } from '#lib/api/schema/format-addresses.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';

/**
 * Returns the addresses that proxies report, then the connected peer's, like upstream's SourceIPs. The client controls all but the last.
 */
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
