import type { Fault } from '../fault.ts';

/** One of Go's two grammars of addresses. */
export interface Grammar {
  /** Whether numbers may have leading zeros, as in netutils.ParseIPSloppy. */
  readonly leadingZeros: boolean;
  /** Creates the fault with Go's text. `at` is the unparsed rest of the text. */
  fail(message: string, at?: string): Fault;
}

const ZERO = 48;

/** Scans four decimal numbers with dots between them. */
export function scanIPv4(text: string, { leadingZeros, fail }: Grammar): number[] | Fault {
  const bytes: number[] = [];
  let [value, digits] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit >= 0 && digit <= 9) {
      if (digits === 1 && value === 0 && !leadingZeros) return fail('IPv4 field has octet with leading zero');
      value = value * 10 + digit;
      digits++;
      if (value > 255) return fail('IPv4 field has value >255');
      continue;
    }
    if (text[i] !== '.') return fail('unexpected character', text.slice(i));
    if (digits === 0 || i === text.length - 1) {
      return fail('IPv4 field must have at least one digit', text.slice(i));
    }
    if (bytes.length === 3) return fail('IPv4 address too long');
    bytes.push(value);
    [value, digits] = [0, 0];
  }
  if (bytes.length < 3) return fail('IPv4 address too short');
  return [...bytes, value];
}

interface Groups {
  readonly bytes: number[];
  /** The number of bytes before `::`, or -1 if the text has none. */
  ellipsis: number;
  rest: string;
}

/** Scans the hexadecimal groups of an IPv6 address without its zone. Its last 32 bits may be an IPv4 address. */
export function scanIPv6(text: string, grammar: Grammar): number[] | Fault {
  const leading = text.startsWith('::');
  const state: Groups = { bytes: [], ellipsis: leading ? 0 : -1, rest: leading ? text.slice(2) : text };
  const fault = text === '::' ? undefined : scanGroups(state, grammar);
  return fault ?? expanded(state, grammar);
}

function scanGroups(state: Groups, grammar: Grammar): Fault | undefined {
  const { bytes } = state;
  const { fail } = grammar;
  while (bytes.length < 16) {
    const { rest } = state;
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (digits.length > 4 && !grammar.leadingZeros) return fail('each group must have 4 or less digits', rest);
    if (digits === '') return fail('each colon-separated field must have at least one digit', rest);
    const group = Number.parseInt(digits, 16);
    if (group > 0xffff) return fail('IPv6 field has value >=2^16', rest);
    if (rest[digits.length] === '.') return scanEmbedded(state, grammar);
    bytes.push(group >> 8, group & 0xff);
    state.rest = rest.slice(digits.length);
    const fault = state.rest === '' ? undefined : scanColon(state, grammar);
    if (fault !== undefined || state.rest === '') return fault;
  }
  return fail('trailing garbage after address', state.rest);
}

function scanColon(state: Groups, { fail }: Grammar): Fault | undefined {
  if (!state.rest.startsWith(':')) return fail('unexpected character, want colon', state.rest);
  if (state.rest.length === 1) return fail('colon must be followed by more characters', state.rest);
  state.rest = state.rest.slice(1);
  if (!state.rest.startsWith(':')) return undefined;
  if (state.ellipsis >= 0) return fail('multiple :: in address', state.rest);
  state.ellipsis = state.bytes.length;
  state.rest = state.rest.slice(1);
  return undefined;
}

function scanEmbedded({ bytes, ellipsis, rest }: Groups, grammar: Grammar): Fault | undefined {
  const { fail } = grammar;
  if (ellipsis < 0 && bytes.length !== 12) {
    return fail('embedded IPv4 address must replace the final 2 fields of the address', rest);
  }
  if (bytes.length > 12) {
    return fail('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  }
  const last = scanIPv4(rest, grammar);
  if (!Array.isArray(last)) return last;
  bytes.push(...last);
  return undefined;
}

/** Replaces `::` with zeros. */
function expanded({ bytes, ellipsis }: Groups, { fail }: Grammar): number[] | Fault {
  const missing = 16 - bytes.length;
  if (missing === 0) return ellipsis < 0 ? bytes : fail('the :: must expand to at least one field of zeros');
  if (ellipsis < 0) return fail('address string too short');
  return [...bytes.slice(0, ellipsis), ...Array<number>(missing).fill(0), ...bytes.slice(ellipsis)];
}
