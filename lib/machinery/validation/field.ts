import { aggregateText } from '../aggregate.ts';
import { goNumber, marshal, quote } from '../go.ts';

/** Upstream's `field.Path`, rendered only when an error is reported. */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #text: string;

  private constructor(parent: FieldPath | undefined, text: string) {
    this.#parent = parent;
    this.#text = text;
  }

  static of(...names: string[]): FieldPath {
    const [first = '', ...rest] = names;
    return new FieldPath(undefined, first).child(...rest);
  }

  child(...names: string[]): FieldPath {
    return names.reduce<FieldPath>((path, name) => new FieldPath(path, `.${name}`), this);
  }

  index(i: number): FieldPath {
    return new FieldPath(this, `[${i}]`);
  }

  key(key: string): FieldPath {
    return new FieldPath(this, `[${key}]`);
  }

  toString(): string {
    const head = this.#parent?.toString() ?? '';
    return head === '' && this.#text.startsWith('.') ? this.#text.slice(1) : head + this.#text;
  }
}

/** The start of the message for each of upstream's `field.ErrorType`s. */
const BODIES = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  InternalError: 'Internal error',
  FieldValueTypeInvalid: 'Invalid value',
} as const;
/** The type of a field error, like upstream's `field.ErrorType`. */
export type FieldErrorType = keyof typeof BODIES;

const WITHOUT_VALUE: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
]);

/** An invalid field: upstream's `field.Error`. If `badValue` is undefined, the message shows no value. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly badValue?: unknown;
  readonly detail: string;
}

type Field = FieldPath | string;

function error(type: FieldErrorType, field: Field, detail: string, badValue?: unknown): FieldError {
  return { type, field: field.toString(), detail, badValue };
}

/** The field must have a value. */
export const required = (field: Field, detail = ''): FieldError => error('FieldValueRequired', field, detail);
/** The field must not have a value here. */
export const forbidden = (field: Field, detail: string): FieldError => error('FieldValueForbidden', field, detail);
/** The field cannot be checked: an error of type InternalError. */
export const fieldFault = (field: Field, detail: string): FieldError => error('InternalError', field, detail);
/** The value occurs more than once in a list or map. */
export const duplicate = (field: Field, value: unknown): FieldError => error('FieldValueDuplicate', field, '', value);
/** The object named by the value does not exist. */
export const notFound = (field: Field, value: unknown): FieldError => error('FieldValueNotFound', field, '', value);
/** The value is malformed or out of range. `detail` explains it. */
export const invalid = (field: Field, value: unknown, detail: string): FieldError =>
  error('FieldValueInvalid', field, detail, value);
/** The field cannot be checked because of an internal error. */
export const internalError = (field: Field, detail: string): FieldError => error('InternalError', field, detail);
/** The value has the wrong type. */
export const typeInvalid = (field: Field, value: unknown, detail: string): FieldError =>
  error('FieldValueTypeInvalid', field, detail, value);

/** The message lists the supported values in the given order. Upstream sorts them at most call sites. */
export function notSupported(field: Field, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`;
  return error('FieldValueNotSupported', field, detail, value);
}

/** `unit` is the unit of `max`. A negative `max` is omitted from the message. */
export function tooLong(field: Field, max: number, unit: 'byte' | 'character' = 'byte'): FieldError {
  const detail = max < 0 ? 'value is too long' : `may not be more than ${max} ${unit}${max === 1 ? '' : 's'}`;
  return error('FieldValueTooLong', field, detail);
}

/** The list has more than `max` items. A negative `max` is omitted from the message. */
export function tooMany(field: Field, actual: number, max: number): FieldError {
  const detail = max < 0 ? 'has too many items' : `must have at most ${max} item${max === 1 ? '' : 's'}`;
  return error('FieldValueTooMany', field, detail, actual < 0 ? undefined : actual);
}

/** The message without the field: upstream's `ErrorBody`. */
export function errorBody({ type, badValue, detail }: FieldError): string {
  // Go marshals the value of a NotSupported error, because it has its own string type. It quotes other values.
  const text = type === 'FieldValueNotSupported' && typeof badValue === 'string' ? marshal(badValue) : show(badValue);
  const shown = WITHOUT_VALUE.has(type) || badValue === undefined ? '' : `: ${text}`;
  return `${BODIES[type]}${shown}${detail === '' ? '' : `: ${detail}`}`;
}

function show(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (value instanceof FieldPath) return value.toString();
  return typeof value === 'number' ? goNumber(value) : marshal(value);
}

/** The whole message: upstream's `Error`. */
export function errorText(fieldError: FieldError): string {
  return `${fieldError.field}: ${errorBody(fieldError)}`;
}

/** Upstream's `ErrorList.ToAggregate().Error()`: distinct messages, in brackets if there are several. */
export function aggregate(errors: readonly FieldError[]): string {
  return aggregateText(errors.map(errorText));
}
