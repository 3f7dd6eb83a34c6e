import { MAX_INT64 } from '../integer-limits.ts';
/** An amount of a resource: `unscaled · 10^scale`, exact. Upstream's `resource.Quantity`. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  /** The format of the text: `1500m`, `1536Mi`, `15e2`. */
  readonly format: 'DecimalSI' | 'BinarySI' | 'DecimalExponent';
  /** The client's text, if upstream keeps it: `1.500`, `+1`. */
  readonly text?: string;
}

/** An invalid quantity. The message is upstream's. */
export class QuantityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'QuantityError';
  }
}

const PATTERN = "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const PARTS = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const PLAIN = /^[1-9]\d{0,2}(?:[mkMGT]|[KMGT]i)?$/;
const MAX_LENGTH = 1024;
const MAX_EXPONENT = 1000;
const NANO = -9;

const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const DECIMAL_BY_EXPONENT = new Map(Object.entries(DECIMAL).map(([suffix, exponent]) => [exponent, suffix]));
const BINARY_BY_EXPONENT = new Map(Object.entries(BINARY).map(([suffix, exponent]) => [exponent, suffix]));

const NO_NUMBER = 'unable to parse numeric part of quantity';
/** The shift of Ti. */
const BARE_SHIFT = 40;

/** Whether a text is certainly in upstream's canonical form, with a precision of at most thousandths. Most texts are. */
export const isPlainQuantity = (text: string): boolean => PLAIN.test(text);

/** Parses like upstream: rounds up to nano, and caps binary quantities at int64. Throws QuantityError. */
export function parseQuantity(input: string): Quantity {
  const text = input.trim();
  const parts = text.length > MAX_LENGTH ? null : PARTS.exec(text);
  if (parts === null || text === '') {
    throw new QuantityError(`quantities must match the regular expression ${PATTERN}`);
  }
  const [, sign = '', whole = '', fraction = '', suffix = ''] = parts;
  const digits = (whole === '' ? '0' : whole) + fraction;
  const isBare = whole === '' && fraction === '';
  const magnitude = BigInt(digits);
  const unscaled = sign === '-' ? -magnitude : magnitude;
  const shift = BINARY[suffix];
  // Upstream parses a bare suffix as zero, except for suffixes that its fast path does not support.
  if (isBare && (shift ?? 0) > BARE_SHIFT) throw new QuantityError(NO_NUMBER);
  if (shift !== undefined) return binary(text, { unscaled, digits, fraction: fraction.length, shift });
  const { exponent, format } = decimalSuffix(suffix);
  const scale = exponent - fraction.length;
  if (isBare && scale < NANO) throw new QuantityError(NO_NUMBER);
  if (digits.length <= 18 && scale >= NANO) {
    const asWritten = text === '0' || (scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0'));
    return { unscaled, scale, format, ...(asWritten ? { text } : {}) };
  }
  return roundUp({ unscaled, scale, format }, NANO);
}

function decimalSuffix(suffix: string): { exponent: number; format: Quantity['format'] } {
  const exponent = Object.hasOwn(DECIMAL, suffix) ? DECIMAL[suffix] : undefined;
  if (exponent !== undefined) return { exponent, format: 'DecimalSI' };
  const power = /^[eE]([-+]?[0-9]+)$/.exec(suffix)?.[1];
  // Upstream has no limit, but the only use of a larger exponent is to exhaust memory.
  if (power === undefined || Math.abs(Number(power)) > MAX_EXPONENT) {
    throw new QuantityError("unable to parse quantity's suffix");
  }
  return { exponent: Number(power), format: 'DecimalExponent' };
}

interface BinaryParts {
  readonly unscaled: bigint;
  readonly digits: string;
  readonly fraction: number;
  readonly shift: number;
}

function binary(text: string, { unscaled, digits, fraction, shift }: BinaryParts): Quantity {
  const exact = { unscaled: unscaled << BigInt(shift), scale: -fraction, format: 'BinarySI' } as const;
  if (fraction === 0 && digits.length + (shift * 3) / 10 <= 14) {
    return { ...exact, ...((unscaled & 7n) === 0n ? {} : { text }) };
  }
  const rounded = roundUp(exact, NANO);
  const size = magnitudeOf(rounded);
  if (compareQuantities(size, { ...size, unscaled: MAX_INT64, scale: 0 }) > 0) {
    return { unscaled: unscaled < 0n ? -MAX_INT64 : MAX_INT64, scale: 0, format: 'BinarySI' };
  }
  const belowOne = size.unscaled > 0n && compareQuantities(size, { ...size, unscaled: 1n, scale: 0 }) < 0;
  return belowOne ? { ...rounded, format: 'DecimalSI' } : rounded;
}

const magnitudeOf = (quantity: Quantity): Quantity =>
  quantity.unscaled < 0n ? { ...quantity, unscaled: -quantity.unscaled } : quantity;

/** Rounds away from zero to a multiple of 10^scale. */
export function roundUp(quantity: Quantity, scale: number): Quantity {
  if (quantity.scale >= scale) return quantity;
  const divisor = 10n ** BigInt(scale - quantity.scale);
  const quotient = quantity.unscaled / divisor;
  const remainder = quantity.unscaled % divisor;
  const up = remainder === 0n ? 0n : remainder > 0n ? 1n : -1n;
  return { unscaled: quotient + up, scale, format: quantity.format };
}

/** Upstream's text: the client's text if upstream keeps it, otherwise the canonical form. */
export function quantityText(quantity: Quantity): string {
  return quantity.text ?? canonical(quantity);
}

function canonical(quantity: Quantity): string {
  const { unscaled, scale, format } = quantity;
  if (unscaled === 0n) return '0';
  if (format === 'BinarySI') {
    const integer = roundUp(quantity, 0);
    const value = integer.unscaled * 10n ** BigInt(integer.scale);
    const exact = compareQuantities(integer, quantity) === 0;
    if (exact && (value <= -1024n || value >= 1024n)) return base1024(value);
    return base1000(unscaled, scale, 'DecimalSI');
  }
  return base1000(unscaled, scale, format);
}

function base1024(value: bigint): string {
  let [amount, exponent] = [value, 0];
  while (exponent < 60 && amount % 1024n === 0n) [amount, exponent] = [amount / 1024n, exponent + 10];
  return `${amount}${exponent === 0 ? '' : BINARY_BY_EXPONENT.get(exponent)}`;
}

function base1000(unscaled: bigint, scale: number, format: Quantity['format']): string {
  let [amount, exponent] = [unscaled, scale];
  while (amount % 10n === 0n) [amount, exponent] = [amount / 10n, exponent + 1];
  // Above E, upstream drops the suffix and loses the value. This code keeps the suffix and writes a larger number.
  const most = format === 'DecimalSI' ? 18 : Number.POSITIVE_INFINITY;
  while (exponent % 3 !== 0 || exponent > most) [amount, exponent] = [amount * 10n, exponent - 1];
  if (format === 'DecimalExponent') return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
  return `${amount}${DECIMAL_BY_EXPONENT.get(exponent) ?? ''}`;
}

/** Negative, zero or positive if `a` is less than, equal to or greater than `b`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const sign = signOf(a);
  if (sign !== signOf(b) || sign === 0) return Math.sign(sign - signOf(b));
  // Comparing the orders first avoids a number of a thousand digits, for example to align 1e1000 with 1.
  const order = orderOf(a) - orderOf(b);
  if (order !== 0) return order > 0 ? sign : -sign;
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

const signOf = ({ unscaled }: Quantity): number => (unscaled < 0n ? -1 : unscaled > 0n ? 1 : 0);

/** The number of digits before the decimal point. Negative for zeros after it. */
const orderOf = (quantity: Quantity): number => magnitudeOf(quantity).unscaled.toString().length + quantity.scale;

/** The sum in `a`'s format, or in `b`'s if `a` is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const [left, right, scale] = aligned(a, b);
  return { unscaled: left + right, scale, format: a.unscaled === 0n ? b.format : a.format };
}

/** The difference in `a`'s format, or in `b`'s if `a` is zero. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { ...b, unscaled: -b.unscaled });
}

function aligned(a: Quantity, b: Quantity): [bigint, bigint, number] {
  const scale = Math.min(a.scale, b.scale);
  const at = (quantity: Quantity): bigint => quantity.unscaled * 10n ** BigInt(quantity.scale - scale);
  return [at(a), at(b), scale];
}

/** Upstream's ScaledValue without its overflow: the value in units of 10^scale, rounded away from zero. */
export function scaledValue(quantity: Quantity, scale: number): bigint {
  const { unscaled, scale: actual } = roundUp(quantity, scale);
  return unscaled * 10n ** BigInt(actual - scale);
}

/** Upstream's Value: whole units, rounded away from zero. */
export const quantityValue = (quantity: Quantity): bigint => scaledValue(quantity, 0);
/** Upstream's MilliValue: thousandths, rounded away from zero. */
export const quantityMilliValue = (quantity: Quantity): bigint => scaledValue(quantity, -3);
