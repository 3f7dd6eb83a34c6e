import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';

/** A JWT in its compact form, read and not believed: nothing in it is proven until a key verifies `signature`. */
export interface Jwt {
  readonly algorithm: string;
  /** '' where the token names no key. */
  readonly keyId: string;
  readonly claims: JsonObject;
  readonly signed: string;
  readonly signature: Uint8Array;
}

const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const MAX_DEPTH = 32;

/** Undefined where the text is no signed JWT, one that asks for what this server does not know (`crit`), or names a key by no text. */
export function parseJwt(token: string): Jwt | undefined {
  const [, first = '', second = '', third = ''] = COMPACT.exec(token) ?? [];
  const header = object(first);
  const claims = object(second);
  if (header === undefined || claims === undefined || Object.hasOwn(header, 'crit')) return undefined;
  const keyId = ownField(header, 'kid') ?? '';
  if (typeof keyId !== 'string') return undefined;
  return {
    algorithm: stringAt(header, 'alg') ?? '',
    keyId,
    claims,
    signed: `${first}.${second}`,
    signature: Buffer.from(third, 'base64url'),
  };
}

function object(part: string): JsonObject | undefined {
  if (part === '') return undefined;
  try {
    const { value } = decodeJson(Buffer.from(part, 'base64url'), { maxDepth: MAX_DEPTH });
    return isObject(value) ? value : undefined;
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
