import { Fault } from '#lib/machinery/fault.ts';
import { quote } from '#lib/machinery/go.ts';
import { type Addr, isMapped } from '#lib/machinery/net/addr.ts';
import { parseAddr } from '#lib/machinery/net/parse-addr.ts';
import { parsePrefix } from '#lib/machinery/net/parse-prefix.ts';
import type { Prefix } from '#lib/machinery/net/prefix.ts';

const mapped = (text: string): Fault => new Fault(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`);

/** Parses an address like Kubernetes' functions: neither zones nor IPv4 in IPv6 form. */
export function parseIP(text: string): Addr | Fault {
  const addr = parseAddr(text);
  if (addr instanceof Fault) {
    return new Fault(`IP Address ${quote(text)} parse error during conversion from string: ${addr.message}`);
  }
  if (addr.zone !== '') return new Fault(`IP address ${quote(text)} with zone value is not allowed`);
  return isMapped(addr) ? mapped(text) : addr;
}

/** Parses a network like Kubernetes' functions: no IPv4 in IPv6 form. */
export function parseCIDR(text: string): Prefix | Fault {
  const prefix = parsePrefix(text);
  if (prefix instanceof Fault) {
    return new Fault(`network address parse error during conversion from string: ${prefix.message}`);
  }
  return isMapped(prefix.addr) ? mapped(text) : prefix;
}
