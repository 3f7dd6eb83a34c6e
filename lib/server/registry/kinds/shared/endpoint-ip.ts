import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { isLinkLocalMulticast, isLinkLocalUnicast, isLoopback, isUnspecified } from '#lib/machinery/net/scope.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';

/** Validates an address that can receive traffic, including external IPs: upstream's ValidateEndpointIP. */
export function validateEndpointIP(value: string, path: FieldPath): FieldError[] {
  const addr = parseIPSloppy(value);
  if (addr === undefined) return [invalid(path, value, 'must be a valid IP address')];
  const messages = [
    ...(isUnspecified(addr) ? [`may not be unspecified (${value})`] : []),
    ...(isLoopback(addr) ? ['may not be in the loopback range (127.0.0.0/8, ::1/128)'] : []),
    ...(isLinkLocalUnicast(addr) ? ['may not be in the link-local range (169.254.0.0/16, fe80::/10)'] : []),
    ...(isLinkLocalMulticast(addr) ? ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'] : []),
  ];
  return messages.map((message) => invalid(path, value, message));
}
