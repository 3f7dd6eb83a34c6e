import { decodeJson } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { isObject, type JsonObject, ownField, stringAt } from '#lib/machinery/json-value.ts';

/** A parsed JWT in compact form. Its content is untrusted until a key verifies `signature`. */
export interface Jwt {
  readonly algorithm: string;
  /** Empty if the token names no key. */
  readonly keyId: string;
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly signed: string;
  readonly signature: Uint8Array;
}

const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const MAX_DEPTH = 32;

/** Parses a JWT. Undefined if the text is not a signed JWT, needs an unsupported extension, or has a key ID that is not a string. */
export function parseJwt(token: string): Jwt | undefined {
  const [, first = '', second = '', third = ''] = COMPACT.exec(token) ?? [];
  const header = headerOf(first);
  const claims = decoded(second)?.value;
  if (header === undefined || claims === undefined) return undefined;
  const keyId = ownField(header, 'kid') ?? '';
  if (typeof keyId !== 'string') return undefined;
  return {
    algorithm: stringAt(header, 'alg') ?? '',
    keyId,
    header,
    claims,
    signed: `${first}.${second}`,
    signature: Buffer.from(third, 'base64url'),
  };
}

/** Decodes the header by go-jose's rules: no duplicate fields, no critical extension except `b64`, and encoded claims. */
function headerOf(part: string): JsonObject | undefined {
  const { value, duplicates } = decoded(part) ?? {};
  if (value === undefined || duplicates?.length !== 0 || ownField(value, 'b64') === false) return undefined;
  const critical = ownField(value, 'crit') ?? [];
  return Array.isArray(critical) && critical.every((name) => name === 'b64') ? value : undefined;
}

function decoded(part: string) {
  if (part === '') return undefined;
  try {
    const { value, duplicates } = decodeJson(Buffer.from(part, 'base64url'), { maxDepth: MAX_DEPTH });
    return isObject(value) ? { value, duplicates } : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** The `aud` claim: a string or a list. */
export function audiencesOf(claims: JsonObject): readonly string[] {
  const value = ownField(claims, 'aud');
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string');
  return typeof value === 'string' ? [value] : [];
}

/** The allowed clock skew in seconds. */
export const LEEWAY = 60;

/** The error of the claims' validity period, in seconds since 1970. */
export function periodFault(
  claims: JsonObject,
  now: number,
): 'expired' | 'not valid yet' | 'issued in the future' | undefined {
  const at = (name: string): number | undefined => {
    const value = ownField(claims, name);
    return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
  };
  const [begin, end, issued] = [at('nbf'), at('exp'), at('iat')];
  if (begin !== undefined && now + LEEWAY < begin) return 'not valid yet';
  if (end !== undefined && now - LEEWAY > end) return 'expired';
  return issued !== undefined && now + LEEWAY < issued ? 'issued in the future' : undefined;
}
