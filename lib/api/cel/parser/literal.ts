import { MAX_INT64, MAX_UINT64, MIN_INT64 } from '#lib/machinery/integer-limits.ts';
import type { Expr } from '../ast/expr.ts';
import { Uint, type Value } from '../values/value.ts';
import type { Builder } from './builder.ts';
import type { TokenKind } from './token.ts';
import type { TokenStream } from './token-stream.ts';
import { unescapeBytes, unescapeString } from './unescape.ts';

/** The tokens of literals. */
export const literalKinds: readonly TokenKind[] = [
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
];

/** Parses the next literal of the stream, with its sign. */
export function literal(tokens: TokenStream, build: Builder): Expr {
  const { offset } = tokens.peek();
  const sign = tokens.accept('-') ? '-' : '';
  tokens.sync(sign ? ['NUM_INT', 'NUM_FLOAT'] : literalKinds);
  if (tokens.failed) return build.nothing(offset);
  const { kind, text } = tokens.next();
  const value = literalValue(kind, text, sign);
  if (value !== null && typeof value === 'object' && 'fault' in value) return build.report(offset, value.fault);
  return { kind: 'literal', id: build.id(offset), value };
}

function literalValue(kind: TokenKind, text: string, sign: string): Value | { fault: string } {
  switch (kind) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'null':
      return null;
    case 'NUM_INT':
      return intLiteral(text, sign);
    case 'NUM_UINT':
      return uintLiteral(text.slice(0, -1));
    case 'NUM_FLOAT':
      return doubleLiteral(sign + text);
    case 'STRING':
      return unwrapped(unescapeString(text));
    default:
      return unwrapped(unescapeBytes(text.slice(1)));
  }
}

function unwrapped<T extends Value>(result: { value: T } | { fault: string }): T | { fault: string } {
  return 'fault' in result ? result : result.value;
}

function intLiteral(text: string, sign: string): Value | { fault: string } {
  const magnitude = BigInt(text);
  const value = sign ? -magnitude : magnitude;
  return value > MAX_INT64 || value < MIN_INT64 ? { fault: 'invalid int literal' } : value;
}

function uintLiteral(text: string): Value | { fault: string } {
  const value = BigInt(text);
  return value > MAX_UINT64 ? { fault: 'invalid uint literal' } : new Uint(value);
}

function doubleLiteral(text: string): Value | { fault: string } {
  const value = Number(text);
  return Number.isFinite(value) ? value : { fault: 'invalid double literal' };
}
