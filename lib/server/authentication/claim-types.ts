import { jsonKind } from '#lib/machinery/go-values.ts';
import { MAX_INT64 } from '#lib/machinery/integer-limits.ts';
import { isObject, type Json, ownField } from '#lib/machinery/json-value.ts';

/** Returns the reason why a claim cannot have the value, in Go's words. Undefined for a valid value. `field` is the name of the claim. */
export type ClaimType = (value: Json, field: string) => string | undefined;

const cannot = (value: Json, field: string, type: string): string =>
  `json: cannot unmarshal ${jsonKind(value)} into Go struct field ${field} of type ${type}`;

/** A string. Go treats null as absent. */
export const text: ClaimType = (value, field) =>
  value === null || typeof value === 'string' ? undefined : cannot(value, field, 'string');

/** Whether Go can parse the number as whole seconds. */
export const isSeconds = (value: Json): boolean =>
  (typeof value === 'number' || typeof value === 'bigint') && Math.abs(Number(value)) <= MAX_INT64;

/** go-jose's NumericDate: seconds since 1970, or null if absent. */
export const numericDate: ClaimType = (value) =>
  value === null || isSeconds(value)
    ? undefined
    : 'go-jose/go-jose/jwt: expected number value to unmarshal NumericDate';

/** go-jose's Audience: a string or a list of strings. */
export const audience: ClaimType = (value) =>
  (Array.isArray(value) ? value : [value]).every((one) => typeof one === 'string')
    ? undefined
    : 'go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience';

/** An object with optional fields of these types. Go treats null as absent. `name` is Go's type. */
export function struct(name: string, fields: Readonly<Record<string, ClaimType>>): ClaimType {
  return (value, field) => {
    if (value === null) return undefined;
    if (!isObject(value)) return cannot(value, field, name);
    for (const [key, type] of Object.entries(fields)) {
      const held = ownField(value, key);
      const fault = held === undefined ? undefined : type(held, `${name}.${key}`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** An object whose fields all have the same type. */
export function mapOf(type: ClaimType): ClaimType {
  return (value, field) => {
    if (value === null) return undefined;
    if (!isObject(value)) return cannot(value, field, 'map');
    return Object.values(value)
      .map((held) => type(held, field))
      .find((fault) => fault !== undefined);
  };
}

/** The registered claims of RFC 7519. This server's tokens contain them together with their own claims. */
export const REGISTERED = {
  iss: text,
  sub: text,
  aud: audience,
  exp: numericDate,
  nbf: numericDate,
  iat: numericDate,
  jti: text,
} as const;
