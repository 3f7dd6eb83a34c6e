import { networkInterfaces } from 'node:os';

/**
 * The address under which others may reach a server that listens on `host`: upstream's --advertise-address. One that listens
 * everywhere, or on loopback, which endpoints may not hold, advertises the machine's first address; `host` where it has none.
 */
export function advertiseAddress(host: string): string {
  if (!/^(127\.|0\.0\.0\.0$|::1?$|localhost$)/.test(host)) return host;
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? host;
}
