import { MAX_INT64, MIN_INT64 } from '#lib/machinery/integer-limits.ts';
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  QuantityError,
  subtractQuantities,
} from '#lib/machinery/resource/quantity.ts';
import { declare, global, member } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { boolType, doubleType, intType, objectType, stringType, type Type } from '../types/type.ts';
import { error, Opaque, type Result, type Value } from '../values/value.ts';

/** The type of quantities. */
export const quantityType: Type = objectType('kubernetes.Quantity');

/** A quantity as a value. */
export class QuantityValue extends Opaque {
  readonly type = quantityType;
  readonly quantity: Quantity;
  /** Whether upstream stores the value as a decimal instead of a scaled int64. Upstream never treats a decimal as an integer. */
  readonly decimal: boolean;

  constructor(quantity: Quantity, decimal: boolean) {
    super();
    this.quantity = quantity;
    this.decimal = decimal;
  }

  equalTo(other: Value): boolean {
    return other instanceof QuantityValue && compareQuantities(this.quantity, other.quantity) === 0;
  }
}

const NANO = -9;

function parse(text: string): QuantityValue | QuantityError {
  try {
    // Upstream's parser accepts no white space, though JSON allows it around a quantity.
    const quantity = parseQuantity(/\s/.test(text) ? '' : text);
    return new QuantityValue(quantity, isDecimal(text, quantity));
  } catch (thrown) {
    if (thrown instanceof QuantityError) return thrown;
    throw thrown;
  }
}

const EXPONENTS: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** Whether upstream's fast parser rejects this text. */
function isDecimal(text: string, { scale }: Quantity): boolean {
  const [, whole = '', fraction = '', suffix = ''] = /^[+-]?0*([0-9]*)\.?([0-9]*)(.*)$/.exec(text.trim()) ?? [];
  const exponent = EXPONENTS[suffix];
  const digits = whole.length + fraction.length;
  if (exponent === undefined) return digits > 18 || (scale === NANO && fraction.length > 9);
  return fraction !== '' || digits + Math.trunc((exponent * 3) / 10) > 14;
}

function stringToQuantity(text: string): Result {
  const value = parse(text);
  return value instanceof QuantityError ? error(value.message) : value;
}

/** Upstream's AsInt64. It does not resolve fractions, so 1000m is not an integer. */
function integerOf({ quantity: { unscaled, scale }, decimal }: QuantityValue): bigint | undefined {
  if (decimal || scale < 0 || scale > 18) return undefined;
  const value = unscaled * 10n ** BigInt(scale);
  return value < MIN_INT64 || value > MAX_INT64 ? undefined : value;
}

function float({ quantity: { unscaled, scale }, decimal }: QuantityValue): number {
  if (decimal && scale > NANO) return Number(unscaled * 10n ** BigInt(scale - NANO)) * 1e-9;
  return scale === 0 ? Number(unscaled) : Number(unscaled) * Number(`1e${scale}`);
}

/** Combines two quantities. If one is zero, the result keeps the scale of the other, and therefore whether it is an integer. */
function combined(a: QuantityValue, b: QuantityValue, combine: typeof addQuantities): QuantityValue {
  const sum = combine(a.quantity, b.quantity);
  const decimal = a.decimal || b.decimal;
  if (!decimal && b.quantity.unscaled === 0n) return a;
  if (!decimal && a.quantity.unscaled === 0n) {
    const rescale = BigInt(Math.max(0, b.quantity.scale - sum.scale));
    return new QuantityValue({ ...sum, unscaled: sum.unscaled / 10n ** rescale, scale: b.quantity.scale }, false);
  }
  return new QuantityValue(sum, decimal || sum.unscaled < MIN_INT64 || sum.unscaled > MAX_INT64);
}

const ofInt = (value: bigint): QuantityValue =>
  new QuantityValue({ unscaled: value, scale: 0, format: 'DecimalExponent' }, false);
const add = (a: QuantityValue, b: QuantityValue): QuantityValue => combined(a, b, addQuantities);
const sub = (a: QuantityValue, b: QuantityValue): QuantityValue => combined(a, b, subtractQuantities);
const compare = (a: QuantityValue, b: QuantityValue): number => compareQuantities(a.quantity, b.quantity);
const sign = ({ quantity: { unscaled } }: QuantityValue): bigint => (unscaled > 0n ? 1n : unscaled < 0n ? -1n : 0n);

const q = quantityType;

/** Kubernetes' quantity library. */
export const quantities: Library = {
  name: 'kubernetes.quantity',
  functions: [
    declare('quantity', global('string_to_quantity', [stringType], q, stringToQuantity)),
    declare(
      'isQuantity',
      global('is_quantity_string', [stringType], boolType, (text: string) => !(parse(text) instanceof QuantityError)),
    ),
    declare('sign', global('quantity_sign', [q], intType, sign)),
    declare(
      'isGreaterThan',
      member('quantity_is_greater_than', [q, q], boolType, (a: QuantityValue, b: QuantityValue) => compare(a, b) > 0),
    ),
    declare(
      'isLessThan',
      member('quantity_is_less_than', [q, q], boolType, (a: QuantityValue, b: QuantityValue) => compare(a, b) < 0),
    ),
    declare(
      'compareTo',
      member('quantity_compare_to', [q, q], intType, (a: QuantityValue, b: QuantityValue) => BigInt(compare(a, b))),
    ),
    declare('asApproximateFloat', member('quantity_get_float', [q], doubleType, float)),
    declare(
      'asInteger',
      member(
        'quantity_get_int',
        [q],
        intType,
        (value: QuantityValue) => integerOf(value) ?? error('cannot convert value to integer'),
      ),
    ),
    declare(
      'isInteger',
      member('quantity_is_integer', [q], boolType, (value: QuantityValue) => integerOf(value) !== undefined),
    ),
    declare(
      'add',
      member('quantity_add', [q, q], q, add),
      member('quantity_add_int', [q, intType], q, (a: QuantityValue, b: bigint) => add(a, ofInt(b))),
    ),
    declare(
      'sub',
      member('quantity_sub', [q, q], q, sub),
      member('quantity_sub_int', [q, intType], q, (a: QuantityValue, b: bigint) => sub(a, ofInt(b))),
    ),
  ],
};
