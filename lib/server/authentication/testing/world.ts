import { generateKeyPairSync } from 'node:crypto';
import { decodedAs } from '#lib/api/testing.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { Lookup, ResourceAt } from '#lib/storage/lookup.ts';
import type { Credentials } from '../authenticator.ts';

/** 2026-01-01T00:00:00Z, the start time of every test's clock. */
export const START = Date.UTC(2026, 0, 1);

/** A clock that advances on request and with every sleep. */
export function aClock(): Clock & { advance(milliseconds: number): void; readonly slept: readonly number[] } {
  let passed = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => START + passed,
    monotonic: () => passed,
    async sleep(milliseconds) {
      slept.push(milliseconds);
      passed += milliseconds;
    },
    advance: (milliseconds) => void (passed += milliseconds),
  };
}

/** A lookup of these v1 objects by resource. Missing fields have the decoder's values. */
export function aLookup(objects: Readonly<Record<string, readonly JsonObject[]>>): Lookup {
  const list = async <T extends JsonObject>(place: ResourceAt<T>): Promise<T[]> => {
    const { resource, namespace = '' } = place;
    const found = (objects[resource] ?? []).filter((one) => namespaceOf(one) === namespace);
    return found.map((one) => decodedAs({ ...place, version: 'v1' }, one));
  };
  const find = async <T extends JsonObject>(place: ResourceAt<T>, name: string): Promise<T | undefined> =>
    (await list(place)).find((one) => nameOf(one) === name);
  const named = async <T extends JsonObject>(place: ResourceAt<T>, prefix: string): Promise<Map<string, T>> =>
    new Map(
      (await list(place)).filter((one) => nameOf(one).startsWith(prefix)).map((one) => [nameOf(one), one] as const),
    );
  return { find, findFresh: find, list, named };
}

/** The credentials of a request with these headers, and the warnings for it. */
export function shown(
  headers: Readonly<Record<string, string | readonly string[]>> = {},
  more: Partial<Credentials> = {},
): Credentials & { readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  return {
    path: '/api',
    headers: (name) => [headers[name] ?? []].flat(),
    headerNames: Object.keys(headers),
    warn: (text) => void warnings.push(text),
    warnings,
    ...more,
  };
}

/** The credentials of a request with a bearer token. */
export const bearer = (token: string, more: Partial<Credentials> = {}) =>
  shown({ authorization: `Bearer ${token}` }, more);

/** A private key in PEM. */
export function aKey(type: 'P-256' | 'P-384' | 'rsa' = 'P-256'): string {
  const { privateKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: type });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** A JWT with the given parts. */
export const jwt = (header: object, claims: object, signature: string | Buffer = ''): string =>
  [JSON.stringify(header), JSON.stringify(claims), signature]
    .map((one) => Buffer.from(one).toString('base64url'))
    .join('.');
