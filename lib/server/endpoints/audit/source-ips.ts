import { canonicalIP } from '#lib/machinery/net/parse-addr.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';

/**
 * Returns the addresses that proxies report, followed by the address of the connected peer, like upstream's SourceIPs. Formats them like Go
 * and skips invalid addresses. The client controls all but the last one.
 */
export function sourceIPs({ headers, connection }: Pick<ApiRequest, 'headers' | 'connection'>): readonly string[] {
  const found = (headers['x-forwarded-for'] ?? '').split(',').flatMap((part) => canonicalIP(part.trim()) ?? []);
  const real = canonicalIP(headers['x-real-ip'] ?? '');
  if (real !== undefined && !found.includes(real)) found.push(real);
  const remote = canonicalIP(connection?.remoteAddress ?? '');
  if (remote !== undefined && found.at(-1) !== remote) found.push(remote);
  return found;
}
