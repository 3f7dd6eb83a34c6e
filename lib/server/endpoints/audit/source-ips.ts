import { canonicalIP } from '#lib/machinery/net/parse-addr.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';

/**
 * Returns the addresses that proxies report, then the connected peer's, like upstream's SourceIPs: in Go's form, without texts that are not
 * addresses. The client controls all but the last.
 */
export function sourceIPs({ headers, connection }: Pick<ApiRequest, 'headers' | 'connection'>): readonly string[] {
  const found = (headers['x-forwarded-for'] ?? '').split(',').flatMap((part) => canonicalIP(part.trim()) ?? []);
  const real = canonicalIP(headers['x-real-ip'] ?? '');
  if (real !== undefined && !found.includes(real)) found.push(real);
  const remote = canonicalIP(connection?.remoteAddress ?? '');
  if (remote !== undefined && found.at(-1) !== remote) found.push(remote);
  return found;
}
