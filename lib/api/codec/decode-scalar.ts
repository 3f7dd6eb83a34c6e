import type { Json } from '#lib/machinery/json-value.ts';
import { isFloatAt, isIntegerLiteral, literalAt } from '#lib/machinery/number-literals.ts';
import type { ValueFacts } from '../values.ts';
import { canonicalBase64 } from './base64.ts';
import { type DecodeContext, typeName } from './context.ts';
import { DecodeError } from './error.ts';
import { canonicalDuration, canonicalMicroTime, canonicalQuantity, canonicalTime } from './texts.ts';

/** Decodes a value other than null that is not a struct, list or map. Undefined after a saved error. */
export function decodeScalar(facts: ValueFacts, value: Json, context: DecodeContext): Json | undefined {
  switch (facts.form) {
    case 'string':
      return typeof value === 'string' ? value : context.mismatch(value, facts.go);
    case 'bool':
      return typeof value === 'boolean' ? value : context.mismatch(value, facts.go);
    case 'int32':
    case 'int64':
      return decodeInteger(facts.form, facts.go, value, context);
    case 'double':
      return decodeDouble(facts.go, value, context);
    case 'bytes':
      return decodeBytes(facts.go, value, context);
    case 'intstr':
      return decodeIntOrString(value, context);
    case 'quantity':
      return canonicalQuantity(quantitySource(value, context));
    case 'time':
      return canonicalTime(ownString(value, context));
    case 'microtime':
      return canonicalMicroTime(ownString(value, context));
    case 'duration':
      return canonicalDuration(ownString(value, context));
    default:
      return value;
  }
}

const isNumber = (value: Json): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

function fits(form: 'int32' | 'int64', value: number | bigint): boolean {
  if (form === 'int32') return typeof value === 'number' && (value | 0) === value;
  return typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
}

/** Whether the number is an integer. Go parses the literal: 80.0 and 8e1 are not integers. */
const isInteger = (form: 'int32' | 'int64', value: number | bigint, { literal }: DecodeContext): boolean =>
  fits(form, value) && (literal === undefined || isIntegerLiteral(literal));

function decodeInteger(form: 'int32' | 'int64', go: string, value: Json, context: DecodeContext): Json | undefined {
  if (!isNumber(value)) return context.mismatch(value, go);
  if (!isInteger(form, value, context)) return context.mismatch(value, go, `number ${context.literal ?? value}`);
  return value === 0 ? 0 : value;
}

function decodeDouble(go: string, value: Json, context: DecodeContext): Json | undefined {
  return isNumber(value) ? Number(value) : context.mismatch(value, go);
}

function decodeBytes(go: string, value: Json, context: DecodeContext): Json | undefined {
  if (Array.isArray(value)) return decodeByteList(value, context);
  if (typeof value !== 'string') return context.mismatch(value, go);
  try {
    return canonicalBase64(value);
  } catch (error) {
    if (error instanceof DecodeError) return context.save(error);
    throw error;
  }
}

const isByte = (value: Json): value is number =>
  typeof value === 'number' && value >= 0 && value <= 255 && Number.isInteger(value);

/** Decodes a list of numbers as bytes. Go also accepts that for a byte slice. */
function decodeByteList(value: readonly Json[], context: DecodeContext): Json {
  const bytes = value.map((item, i) => {
    if (isByte(item) && !isFloatAt(value, i)) return item;
    if (item !== null) {
      context.mismatch(item, 'uint8', isNumber(item) ? `number ${literalAt(value, i) ?? item}` : undefined);
    }
    return 0;
  });
  return Buffer.from(bytes).toString('base64');
}

/** Upstream's UnmarshalJSON. Its errors end the decode immediately. */
function decodeIntOrString(value: Json, context: DecodeContext): Json {
  if (typeof value === 'string') return value;
  if (!isNumber(value)) throw context.typeError(typeName(value), 'int32');
  if (!isInteger('int32', value, context)) throw context.typeError(`number ${context.literal ?? value}`, 'int32');
  return value === 0 ? 0 : value;
}

function ownString(value: Json, context: DecodeContext): string {
  if (typeof value !== 'string') throw context.typeError(typeName(value), 'string');
  return value;
}

/** The text of a quantity. Upstream parses the JSON text without its quotes, regardless of its JSON type. */
function quantitySource(value: Json, { literal }: DecodeContext): string {
  if (isNumber(value)) return literal ?? String(value);
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' ? String(value) : '{';
}
