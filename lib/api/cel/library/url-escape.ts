import { Fault } from '#lib/machinery/fault.ts';
import { quote } from '#lib/machinery/go.ts';

/** A part of a URL. Each part leaves different characters unescaped. */
export type Part = 'path' | 'host' | 'zone' | 'user' | 'query' | 'fragment';

const UNRESERVED = /[A-Za-z0-9\-._~]/;
const KEPT: Readonly<Record<Part, RegExp>> = {
  path: /[$&+,/:;=@]/,
  host: /[!$&'()*+,;=:[\]<>"]/,
  zone: /[!$&'()*+,;=:[\]<>"]/,
  user: /[$&+,;=]/,
  query: /[^\s\S]/,
  fragment: /[!$&()*+,/:;=?@]/,
};

const isKept = (byte: string, part: Part): boolean => UNRESERVED.test(byte) || KEPT[part].test(byte);

/** Converts a URL text to one character per byte, because escapes represent bytes. */
export const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
/** Decodes UTF-8 from a string with one character for each byte. */
export const fromBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

const fault = (sequence: string): Fault => new Fault(`invalid URL escape ${quote(fromBytes(sequence))}`);

/** Go's url.unescape for text with one character per byte. */
export function unescape(bytes: string, part: Part): string | Fault {
  const wrong = escapeFault(bytes, part);
  if (wrong !== undefined) return wrong;
  const spaced = part === 'query' ? bytes.replaceAll('+', ' ') : bytes;
  if (!spaced.includes('%')) return spaced;
  return spaced.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function escapeFault(bytes: string, part: Part): Fault | undefined {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as string;
    if (byte === '%') {
      const sequence = bytes.slice(i, i + 3);
      if (!/^%[0-9a-fA-F]{2}$/.test(sequence) || !mayEscape(sequence, part)) return fault(sequence);
      i += 2;
    } else if ((part === 'host' || part === 'zone') && byte < '\x80' && !isKept(byte, part)) {
      return new Fault(`invalid character ${quote(byte)} in host name`);
    }
  }
  return undefined;
}

/** A host may escape only non-ASCII bytes. A zone may also escape a space and characters that are valid unescaped. */
function mayEscape(sequence: string, part: Part): boolean {
  if (sequence === '%25') return true;
  const value = Number.parseInt(sequence.slice(1), 16);
  if (part === 'host') return value >= 0x80;
  return part !== 'zone' || value === 0x20 || isKept(String.fromCharCode(value), 'host');
}

/** Go's url.escape for text with one character per byte. */
export function escape(bytes: string, part: Part): string {
  let out = '';
  for (const byte of bytes) {
    out += isKept(byte, part) ? byte : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

/** Whether the client's own escaping of a path or fragment is valid. */
export function isValidEncoded(bytes: string, part: Part): boolean {
  for (const byte of bytes) {
    if (!/[!$&'()*+,;=:@[\]%]/.test(byte) && !isKept(byte, part)) return false;
  }
  return true;
}
