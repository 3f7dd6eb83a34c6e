import * as z from 'zod';
import { badRequest } from '#lib/machinery/errors.ts';
import { issuesText } from '#lib/machinery/issues.ts';
import { isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';

/** An object of any type, kept as it was decoded. */
export const anObject = z.custom<JsonObject>((value) => isObject(value as Json), 'must be an object');

/** A field that a review may omit. Null counts as omitted, as in Go. */
export const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);

/** A list of strings. */
export const texts = z.array(z.string());

/** `authentication.k8s.io/v1` UserInfo. */
export const userInfo = z.object({
  username: optional(z.string()),
  uid: optional(z.string()),
  groups: optional(texts),
  extra: optional(z.record(z.string(), texts)),
});

/** Parses a review. Throws BadRequest with one line that names all errors. */
export function readEnvelope<T extends z.ZodType>(type: T, review: JsonObject): z.output<T> {
  const read = type.safeParse(review);
  if (read.success) return read.data;
  throw badRequest(`review: ${issuesText(read.error.issues)}`);
}

/** Converts a JavaScript value to JSON. Omits undefined fields. Throws TypeError for values that JSON cannot represent. */
export function toJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint')
    return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item) => toJson(item ?? null));
  if (typeof value !== 'object') throw new TypeError(`${typeof value} is nothing that JSON has`);
  const made: JsonObject = {};
  for (const [field, item] of Object.entries(value)) if (item !== undefined) setField(made, field, toJson(item));
  return made;
}

/** Like `toJson`, for a value that must be an object. */
export function toJsonObject(value: object): JsonObject {
  const made = toJson(value);
  if (isObject(made)) return made;
  throw new TypeError('the answer is no object');
}
