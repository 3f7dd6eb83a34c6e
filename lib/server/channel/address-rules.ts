import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { isGlobalUnicast } from '#lib/machinery/net/scope.ts';

/** Whether users may make the server call the address with a path of their choice: Go's `IsGlobalUnicast`, including private ranges. */
export function isProxyable(address: string): boolean {
  const addr = parseIPSloppy(address);
  return addr !== undefined && isGlobalUnicast(addr);
}
