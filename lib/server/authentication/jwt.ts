import { decodeJson } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { isObject, type JsonObject, ownField, stringAt } from '#lib/machinery/json-value.ts';

/** A JWT in its compact form, read and not believed: nothing in it is proven until a key verifies `signature`. */
export interface Jwt {
  readonly algorithm: string;
  /** '' where the token names no key. */
  readonly keyId: string;
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly signed: string;
  readonly signature: Uint8Array;
}

const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const MAX_DEPTH = 32;

/** Undefined where the text is no signed JWT, one that asks for what this server does not know, or names a key by no text. */
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

/** The header, as go-jose takes it: no field twice, nothing critical but `b64`, and the claims encoded. */
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

/** The `aud` claim: one text or a list. */
export function audiencesOf(claims: JsonObject): readonly string[] {
  const value = ownField(claims, 'aud');
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string');
  return typeof value === 'string' ? [value] : [];
}

/** How far clocks may be apart, in seconds. */
export const LEEWAY = 60;

/** When the claims hold: seconds since 1970. */
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
