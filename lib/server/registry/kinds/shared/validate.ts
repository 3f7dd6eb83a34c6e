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

/** Validates every item at the path of its index and returns all errors. */
export function each<T>(
  list: readonly T[],
  path: FieldPath,
  check: (item: T, path: FieldPath) => FieldError[],
): FieldError[] {
  return list.flatMap((item, i) => check(item, path.index(i)));
}

/** Returns one error per message of a format check. */
export function checked(value: string, path: FieldPath, check: (value: string) => readonly string[]): FieldError[] {
  return check(value).map((message) => invalid(path, value, message));
}

/** Returns an error for each rule of a DNS label that the text violates. */
export const dns1123Label = (value: string, path: FieldPath): FieldError[] => checked(value, path, isDNS1123Label);
/** Returns an error for each rule of a DNS subdomain that the text violates. */
export const dns1123Subdomain = (value: string, path: FieldPath): FieldError[] =>
  checked(value, path, isDNS1123Subdomain);
/** Returns an error for each rule of a qualified name that the text violates. */
export const qualifiedName = (value: string, path: FieldPath): FieldError[] => checked(value, path, isQualifiedName);
/** Validates the name of another object. Most kinds use these rules. */
export const objectName = (value: string, path: FieldPath): FieldError[] =>
  checked(value, path, (name) => nameIsDNSSubdomain(name, false));

/** Returns an error if the string at `field` is empty. */
export function requiredText<T extends JsonObject>(object: T, field: keyof T & string, path: FieldPath): FieldError[] {
  return text(object, field) === '' ? [required(path.child(field))] : [];
}

/** Creates a check that requires text at each of `fields`. */
export const requiredTexts =
  <T extends JsonObject = JsonObject>(...fields: (keyof T & string)[]) =>
  (object: T, path: FieldPath): FieldError[] =>
    fields.flatMap((field) => requiredText(object, field, path));

/** Validates that a value is set and one of `supported`. Messages list `supported` in the given order. */
export function oneOf(value: string, path: FieldPath, supported: readonly string[]): FieldError[] {
  if (value === '') return [required(path)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

/** Validates that a value, if set, is one of `supported`. */
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

/** The message for a number that must be positive. */
export const NOT_POSITIVE = 'must be greater than zero';

/** Rejects negative numbers at each of `fields`. */
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

/** Returns an error if the number is set and outside the range from `low` to `high`, both inclusive. */
export function inRange(value: Integer | undefined, path: FieldPath, low: number, high: number): FieldError[] {
  if (value === undefined || (value >= low && value <= high)) return [];
  return [invalid(path, value, inclusiveRange(low, high))];
}

/** The names of the objects in a list. */
export function namesOf(list: readonly { name: string }[]): Set<string> {
  return new Set(list.map(({ name }) => name));
}
