import { parseIP } from './parse-addr.ts';
import { isLoopback, isUnspecified } from './scope.ts';

/** Whether a host without brackets is `localhost` or a loopback address. */
export function isLoopbackHost(host: string): boolean {
  const addr = parseIP(host);
  return addr === undefined ? host === 'localhost' : isLoopback(addr);
}

/** Whether a host without brackets is 0.0.0.0 or ::. A server on such a host listens on all addresses. */
export function isUnspecifiedHost(host: string): boolean {
  const addr = parseIP(host);
  return addr !== undefined && isUnspecified(addr);
}
