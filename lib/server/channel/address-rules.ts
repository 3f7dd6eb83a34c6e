import { isGlobalUnicast, parseAddr } from '#lib/api/cel/library/netip.ts';
import { Fault } from '#lib/machinery/fault.ts';
import { addressText, parseIP } from '#lib/machinery/validation/ip.ts';

/** Whether users may make the server call the address at a path of their choice: Go's `IsGlobalUnicast`, including private ranges. */
export function isProxyable(address: string): boolean {
  const ip = parseIP(address);
  if (ip === undefined) return false;
  const parsed = parseAddr(addressText(ip)); // an IPv4 address in IPv6 form is checked as IPv4
  return !(parsed instanceof Fault) && isGlobalUnicast(parsed);
}
