import { hostname, networkInterfaces } from 'node:os';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { isLoopbackHost, isUnspecifiedHost } from '#lib/machinery/net/this-host.ts';
import type { StartOptions } from './start-options.ts';

/** The address that a server listens on, and the names by which other machines reach it. */
type Reached = Pick<StartOptions, 'host' | 'advertiseAddress' | 'certExtraSans'>;

/** The address that the server listens on. */
export const hostOf = ({ host = '127.0.0.1' }: Reached): string => host;

/**
 * The address that clients on other machines use (upstream's --advertise-address). Defaults to the machine's first address if the server
 * listens on all addresses or on loopback, which endpoints may not contain. A machine without an address uses the server's host.
 */
export function advertisedAddress(options: Reached): string {
  const host = hostOf(options);
  if (options.advertiseAddress !== undefined) return options.advertiseAddress;
  if (!isLoopbackHost(host) && !isUnspecifiedHost(host)) return host;
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? host;
}

/** The URL of a server for clients on this machine. */
export function urlHere(options: Reached, port: number): string {
  const host = hostOf(options);
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `https://${joinHostPort(reached, port)}`;
}

/** Names and addresses in a server's certificate, in addition to those of every server: the host's and, as in kubeadm, the extra SANs. */
export function serverNames(options: Reached): readonly string[] {
  const { certExtraSans = [], advertiseAddress } = options;
  const host = hostOf(options);
  if (isLoopbackHost(host)) return [...(advertiseAddress === undefined ? [] : [advertiseAddress]), ...certExtraSans];
  return [...(isUnspecifiedHost(host) ? [] : [host]), advertisedAddress(options), hostname(), ...certExtraSans];
}
