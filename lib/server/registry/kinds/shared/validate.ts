import { type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { type Integer, text } from '#lib/machinery/unstructured.ts';
import { type FieldError, type FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';
import { inclusiveRange, NEGATIVE } from '#lib/machinery/validation/messages.ts';
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  nameIsDNSSubdomain,
} from '#lib/machinery/validation/names.ts';

/** Every item's errors, each under its index. */
export function each<T>(
  list: readonly T[],
  path: FieldPath,
  check: (item: T, path: FieldPath) => FieldError[],
): FieldError[] {
  return list.flatMap((item, i) => check(item, path.index(i)));
}

/** One error per message of a format check. */
export function checked(value: string, path: FieldPath, check: (value: string) => readonly string[]): FieldError[] {
  return check(value).map((message) => invalid(path, value, message));
}

/** An error for each rule of a DNS label that the text breaks. */
export const dns1123Label = (value: string, path: FieldPath): FieldError[] => checked(value, path, isDNS1123Label);
/** An error for each rule of a DNS subdomain that the text breaks. */
export const dns1123Subdomain = (value: string, path: FieldPath): FieldError[] =>
  checked(value, path, isDNS1123Subdomain);
/** An error for each rule of a qualified name that the text breaks. */
export const qualifiedName = (value: string, path: FieldPath): FieldError[] => checked(value, path, isQualifiedName);
/** The name of another object, as most kinds have them. */
export const objectName = (value: string, path: FieldPath): FieldError[] =>
  checked(value, path, (name) => nameIsDNSSubdomain(name, false));

/** An error where the string at `field` is empty. */
export function requiredText<T extends JsonObject>(object: T, field: keyof T & string, path: FieldPath): FieldError[] {
  return text(object, field) === '' ? [required(path.child(field))] : [];
}

/** A check that wants a text at each of `fields`. */
export const requiredTexts =
  <T extends JsonObject = JsonObject>(...fields: (keyof T & string)[]) =>
  (object: T, path: FieldPath): FieldError[] =>
    fields.flatMap((field) => requiredText(object, field, path));

/** Required, and one of `supported` in the order in which a message shows them. */
export function oneOf(value: string, path: FieldPath, supported: readonly string[]): FieldError[] {
  if (value === '') return [required(path)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

/** One of `supported` where it is set at all. */
export function optionalOneOf<T extends JsonObject>(
  object: T,
  field: keyof T & string,
  path: FieldPath,
  supported: readonly string[],
): FieldError[] {
  const value = ownField(object, field);
  if (typeof value !== 'string' || supported.includes(value)) return [];
  return [notSupported(path.child(field), value, supported)];
}

/** The message about a number that has to be positive. */
export const NOT_POSITIVE = 'must be greater than zero';

/** The number at each of `fields`, where it is set, may not be negative. */
export function nonnegative<T extends JsonObject>(
  object: T | undefined,
  path: FieldPath,
  ...fields: (keyof T & string)[]
): FieldError[] {
  return fields.flatMap((field) => {
    const value = ownField(object, field);
    const number = typeof value === 'number' || typeof value === 'bigint' ? value : 0;
    return number < 0 ? [invalid(path.child(field), number, NEGATIVE)] : [];
  });
}

/** An error where the number is set and not between `low` and `high`, both included. */
export function inRange(value: Integer | undefined, path: FieldPath, low: number, high: number): FieldError[] {
  if (value === undefined || (value >= low && value <= high)) return [];
  return [invalid(path, value, inclusiveRange(low, high))];
}

/** The names of a list's objects. */
export function namesOf(list: readonly { name: string }[]): Set<string> {
  return new Set(list.map(({ name }) => name));
}
