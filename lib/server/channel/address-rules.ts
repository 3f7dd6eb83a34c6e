import { Fault } from '#lib/api/cel/library/fault.ts';
import { isGlobalUnicast, parseAddr } from '#lib/api/cel/library/netip.ts';
import { addressText, parseIP } from '#lib/machinery/validation/ip.ts';

/** Whether users may have the server call the address at a path that they choose: Go's `IsGlobalUnicast`, private ranges included. */
export function isProxyable(address: string): boolean {
  const ip = parseIP(address);
  if (ip === undefined) return false;
  const parsed = parseAddr(addressText(ip)); // an IPv4 address written as IPv6 counts as what it is
  return !(parsed instanceof Fault) && isGlobalUnicast(parsed);
}
