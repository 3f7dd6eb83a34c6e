import { type Json, type JsonObject, objectAt, setField } from '../json-value.ts';
import {
  addQuantities,
  compareQuantities as compare,
  isPlainQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityMilliValue,
  quantityText,
  quantityValue,
  roundUp,
  subtractQuantities,
} from './quantity.ts';

const ZERO: Quantity = { unscaled: 0n, scale: 0, format: 'DecimalSI' };

/** Parses a quantity of a decoded object, which is validated text or a number. Any other value counts as zero. */
function parsed(value: Json): Quantity {
  try {
    return typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value)) : ZERO;
  } catch (error) {
    if (error instanceof QuantityError) return ZERO;
    throw error;
  }
}

/** The entries of the resource list at `field`, sorted by name. */
export function quantities<T extends JsonObject>(object: T | undefined, field: keyof T & string): [string, string][] {
  const list = objectAt(object, field) ?? {};
  return Object.keys(list)
    .sort()
    .map((name) => [name, String(list[name])]);
}

/** Whether a text is a quantity, such as `100m` or `1Gi`. */
export function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

/** The quantity in upstream's canonical form. */
export const canonicalQuantity = (value: Json): string => quantityText(parsed(value));

/** Rounds the quantities of the resource lists at `fields` up to thousandths, as upstream's defaults do. */
export function roundResources<T extends JsonObject>(object: T, ...fields: (keyof T & string)[]): void {
  for (const list of fields.map((field) => objectAt(object, field) ?? {})) {
    for (const name of Object.keys(list)) {
      const value = list[name] as Json;
      if (typeof value === 'string' && isPlainQuantity(value)) continue;
      setField(list, name, quantityText(roundUp(parsed(value), -3)));
    }
  }
}

/** Negative, zero or positive if `a` is less than, equal to or greater than `b`. */
export const compareQuantities = (a: Json, b: Json): number => compare(parsed(a), parsed(b));

/** The sum of two quantities in upstream's canonical form. Throws QuantityError if one is invalid. */
export const sumOfQuantities = (a: Json, b: Json): string => quantityText(addQuantities(parsed(a), parsed(b)));

/** `a` minus `b` in upstream's canonical form. Throws QuantityError if one is invalid. */
export const differenceOfQuantities = (a: Json, b: Json): string =>
  quantityText(subtractQuantities(parsed(a), parsed(b)));

/** Negative, zero or positive like the quantity. */
export const signOf = (value: Json): number => compare(parsed(value), ZERO);

/** The value in units, rounded up. */
export const wholeValue = (value: Json): bigint => quantityValue(parsed(value));

/** The value in thousandths of a unit, rounded up. */
export const milliValue = (value: Json): bigint => quantityMilliValue(parsed(value));

/** Whether the value is a whole number of units, to a precision of thousandths. */
export function isWhole(value: Json): boolean {
  const quantity = parsed(value);
  return quantity.scale >= 0 || quantityMilliValue(quantity) % 1000n === 0n;
}
