import { addressText, networkText, type Prefix, parseCIDR, parseIP } from '#lib/machinery/validation/ip.ts';
import type { IPFamily } from './types.ts';

const familyOf = (bytes: readonly number[]): IPFamily => (bytes.length === 4 ? 'IPv4' : 'IPv6');

/** The address as Go writes it; undefined where the text is no address of the family. */
export function addressOf(text: string, family: IPFamily): string | undefined {
  const address = parseIP(text);
  return address !== undefined && familyOf(address.bytes) === family ? addressText(address) : undefined;
}

/** The networks of the family among texts. Texts that are none are left out, as upstream does. */
export const prefixesOf = (texts: readonly string[], family: IPFamily): Prefix[] =>
  texts.flatMap((text) => {
    const prefix = parseCIDR(text.trim());
    return prefix !== undefined && familyOf(prefix.address.bytes) === family ? [prefix] : [];
  });

/** The network as Go writes it. */
export const prefixText = networkText;

/** Whether the network has the address. */
export function isInPrefix(text: string, { address, length }: Prefix): boolean {
  const bytes = parseIP(text)?.bytes;
  if (bytes === undefined || bytes.length !== address.bytes.length) return false;
  return bytes.every((byte, i) => {
    const mask = (0xff00 >> Math.min(Math.max(length - i * 8, 0), 8)) & 0xff;
    return (byte & mask) === ((address.bytes[i] ?? 0) & mask);
  });
}

/** An address and a port as Go joins them. */
export const hostPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);
