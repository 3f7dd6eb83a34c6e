/**
 * The number format of Go's x/text, which `string.format` uses: English digit groups, rounded half to even. This is its maximum precision.
 */

const MAX_PRECISION = 1100;

/** Splits a finite double into mantissa · 2^exponent. */
function parts(value: number): { mantissa: bigint; exponent: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const biased = Number((bits.getBigUint64(0) >> 52n) & 0x7ffn);
  const fraction = bits.getBigUint64(0) & 0xfffffffffffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

/** Returns |value| · 10^digits, rounded half to even. */
function scaled(value: number, digits: number): bigint {
  const { mantissa, exponent } = parts(value);
  const up = mantissa * (digits > 0 ? 10n ** BigInt(digits) : 1n) * (exponent > 0 ? 1n << BigInt(exponent) : 1n);
  const divisor = (digits < 0 ? 10n ** BigInt(-digits) : 1n) * (exponent < 0 ? 1n << BigInt(-exponent) : 1n);
  const quotient = up / divisor;
  const twice = 2n * (up % divisor);
  const roundsUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return roundsUp ? quotient + 1n : quotient;
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return undefined;
  return value < 0 ? '-∞' : '∞';
}

const sign = (value: number): string => (value < 0 ? '-' : '');

/** Formats `%.2f` of 12345.678 as 12,345.68. */
export function fixedText(value: number, precision: number): string {
  const word = special(value);
  if (word !== undefined) return word;
  const digits = Math.min(precision, MAX_PRECISION);
  const text = scaled(value, digits)
    .toString()
    .padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits).replace(/\B(?=(?:\d{3})+$)/g, ',');
  const zeros = '0'.repeat(precision - digits);
  return `${sign(value)}${whole}${precision === 0 ? '' : `.${text.slice(text.length - digits)}${zeros}`}`;
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Formats `%e` as 1.052033×10⁰³, always with six digits. Upstream treats a precision as the minimum width. */
export function scientificText(value: number, width: number): string {
  const word = special(value) ?? finiteScientific(value);
  return word.padStart(width, ' ');
}

function finiteScientific(value: number): string {
  let exponent = value === 0 ? 0 : Number(value.toExponential(17).split('e')[1]);
  let digits = scaled(value, 6 - exponent).toString();
  if (digits.length > 7) {
    exponent++;
    digits = scaled(value, 6 - exponent).toString();
  }
  const seven = digits.padStart(7, '0');
  const power = Math.abs(exponent).toString().padStart(2, '0');
  const raised = [...power].map((digit) => SUPERSCRIPTS[Number(digit)]).join('');
  return `${sign(value)}${seven[0]}.${seven.slice(1)}×10${exponent < 0 ? '⁻' : ''}${raised}`;
}
