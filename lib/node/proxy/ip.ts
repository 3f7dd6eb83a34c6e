import { addressText, networkText, type Prefix, parseCIDR, parseIP } from '#lib/machinery/validation/ip.ts';
import type { IPFamily } from './types.ts';

const familyOf = (bytes: readonly number[]): IPFamily => (bytes.length === 4 ? 'IPv4' : 'IPv6');

/** The address in Go's form. Undefined if the text is not an address of the family. */
export function addressOf(text: string, family: IPFamily): string | undefined {
  const address = parseIP(text);
  return address !== undefined && familyOf(address.bytes) === family ? addressText(address) : undefined;
}

/** The networks of the family in a list of texts. Invalid texts are ignored, as upstream. */
export const prefixesOf = (texts: readonly string[], family: IPFamily): Prefix[] =>
  texts.flatMap((text) => {
    const prefix = parseCIDR(text.trim());
    return prefix !== undefined && familyOf(prefix.address.bytes) === family ? [prefix] : [];
  });

/** The network in Go's form. */
export const prefixText = networkText;

/** Whether the network contains the address. */
export function isInPrefix(text: string, { address, length }: Prefix): boolean {
  const bytes = parseIP(text)?.bytes;
  if (bytes === undefined || bytes.length !== address.bytes.length) return false;
  return bytes.every((byte, i) => {
    const mask = (0xff00 >> Math.min(Math.max(length - i * 8, 0), 8)) & 0xff;
    return (byte & mask) === ((address.bytes[i] ?? 0) & mask);
  });
}

/** Address and port in the form of Go's net.JoinHostPort. */
export const hostPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);
