import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';

const isIp = (text: string): boolean => parseIPSloppy(text) !== undefined;

/** The format `ipv4`: an IP address with a dot, which may be an IPv4-mapped one. */
export const isIpv4 = (text: string): boolean => text.includes('.') && isIp(text);
/** The format `ipv6`: an IP address with a colon. */
export const isIpv6 = (text: string): boolean => text.includes(':') && isIp(text);
/** The format `cidr`: upstream's netutils.ParseCIDRSloppy. */
export const isCidr = (text: string): boolean => parseCIDRSloppy(text) !== undefined;

/** Go's ParseMAC: EUI-48, EUI-64 or a 20-octet address, in pairs or in Cisco's fours. */
export function isMac(text: string): boolean {
  const separator = text[2] === ':' || text[2] === '-' ? text[2] : '.';
  const parts = text.split(separator);
  const digits = separator === '.' ? /^[0-9a-fA-F]{4}$/ : /^[0-9a-fA-F]{2}$/;
  const sizes = separator === '.' ? [3, 4, 10] : [6, 8, 20];
  return sizes.includes(parts.length) && parts.every((part) => digits.test(part));
}
