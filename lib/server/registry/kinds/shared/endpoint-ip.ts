import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { type Address, parseIP } from '#lib/machinery/validation/ip.ts';

/** Validates an address that can receive traffic, including external IPs: upstream's ValidateEndpointIP. */
export function validateEndpointIP(value: string, path: FieldPath): FieldError[] {
  const address = parseIP(value);
  if (address === undefined) return [invalid(path, value, 'must be a valid IP address')];
  return special(address, value).map((message) => invalid(path, value, message));
}

function special({ bytes }: Address, value: string): string[] {
  const [a = 0, b = 0, c = 0] = bytes;
  const four = bytes.length === 4;
  const low = bytes.at(-1) ?? 0;
  const zeroHead = bytes.slice(0, -1).every((byte) => byte === 0);
  const messages: string[] = [];
  if (zeroHead && low === 0) messages.push(`may not be unspecified (${value})`);
  if (four ? a === 127 : zeroHead && low === 1) {
    messages.push('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  }
  if (four ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80) {
    messages.push('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  }
  if (four ? a === 224 && b === 0 && c === 0 : a === 0xff && (b & 0x0f) === 0x02) {
    messages.push('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  }
  return messages;
}
