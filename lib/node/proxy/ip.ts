import { addrText } from '#lib/machinery/net/addr-text.ts';
import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { contains, type Prefix } from '#lib/machinery/net/prefix.ts';
import type { IPFamily } from './types.ts';

const FAMILIES = { 4: 'IPv4', 6: 'IPv6' } as const;

/** The address in Go's form. Undefined if the text is not an address of the family. */
export function addressOf(text: string, family: IPFamily): string | undefined {
  const addr = parseIPSloppy(text);
  return addr !== undefined && FAMILIES[addr.family] === family ? addrText(addr) : undefined;
}

/** The networks of the family in a list of texts. Invalid texts are ignored, as in upstream. */
export const prefixesOf = (texts: readonly string[], family: IPFamily): Prefix[] =>
  texts.flatMap((text) => {
    const prefix = parseCIDRSloppy(text.trim());
    return prefix !== undefined && FAMILIES[prefix.addr.family] === family ? [prefix] : [];
  });

/** Whether the network contains the address. */
export function isInPrefix(text: string, prefix: Prefix): boolean {
  const addr = parseIPSloppy(text);
  return addr !== undefined && contains(prefix, addr);
}
