import { addrText } from '#lib/machinery/net/addr-text.ts';
import { parseIP } from '#lib/machinery/net/parse-addr.ts';

const IPV4 = '.in-addr.arpa';
const IPV6 = '.ip6.arpa';

/** The address in a reverse name (RFC 1035 3.5, RFC 3596 2.5). Undefined if it contains none. */
export function reversedAddress(name: string): string | undefined {
  const text = name.endsWith(IPV4)
    ? name.slice(0, -IPV4.length).split('.').toReversed().join('.')
    : name.endsWith(IPV6)
      ? grouped(name.slice(0, -IPV6.length).split('.').toReversed())
      : '';
  const address = parseIP(text);
  return address && addrText(address);
}

function grouped(nibbles: readonly string[]): string {
  if (nibbles.length !== 32 || nibbles.some((nibble) => nibble.length !== 1)) return '';
  return Array.from({ length: 8 }, (_, i) => nibbles.slice(i * 4, i * 4 + 4).join('')).join(':');
}
