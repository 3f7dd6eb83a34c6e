import { type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { isValidPercent } from '#lib/machinery/validation/formats.ts';
import { NEGATIVE } from '#lib/machinery/validation/messages.ts';

/** The IntOrString at `field`. 0, Go's zero value, if absent. */
export function intOrPercent<T extends JsonObject>(object: T, field: keyof T & string): Json {
  return ownField(object, field) ?? 0;
}

/** Returns an error if the IntOrString at `field` is neither a percentage nor a non-negative number. */
export function validateIntOrPercent<T extends JsonObject>(
  object: T,
  field: keyof T & string,
  path: FieldPath,
): FieldError[] {
  const value = intOrPercent(object, field);
  const where = path.child(field);
  if (typeof value === 'string') return isValidPercent(value).map((message) => invalid(where, value, message));
  return typeof value === 'number' && value < 0 ? [invalid(where, value, NEGATIVE)] : [];
}

/** The number, or the number before the percent sign. 0 if the text is neither. */
export function amountOf(value: Json): number {
  if (typeof value === 'number') return value;
  const digits = typeof value === 'string' ? /^([0-9]+)%?$/.exec(value)?.[1] : undefined;
  return digits === undefined ? 0 : Number(digits);
}

/** Returns an error if the IntOrString at `field` is a percentage above 100. */
export function notAboveAll<T extends JsonObject>(object: T, field: keyof T & string, path: FieldPath): FieldError[] {
  const value = intOrPercent(object, field);
  if (typeof value !== 'string' || isValidPercent(value).length > 0 || amountOf(value) <= 100) return [];
  return [invalid(path.child(field), value, 'must not be greater than 100%')];
}
