import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { unauthorized } from '#lib/machinery/errors.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { arrayAt, isObject, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import type { JwtAuthenticator } from '../configuration.ts';
import type { HttpsGetter } from '../https-getter.ts';
import type { Jwt } from '../jwt.ts';
import { algorithmsOf, isSignedByForeign } from '../key.ts';

export interface ProviderPorts {
  readonly https: HttpsGetter;
  readonly clock: Clock;
}

interface ProviderKey {
  readonly keyId: string;
  readonly algorithms: readonly string[];
  readonly key: KeyObject;
}

const TIMEOUT = 30_000;
const MAX_BYTES = 1024 * 1024;
/** Keys of one issuer that are looked at. */
const MAX_KEYS = 100;
/** Bits of a modulus, and an exponent, as Go's TLS and RSA bound them: beyond, one signature takes seconds to verify. */
const MAX_MODULUS = 8192;
const MAX_EXPONENT = 2n ** 31n - 1n;
/** An issuer is asked at most this often, whatever tokens come; and again after this long, that keys which are gone end. */
const PAUSE = 10_000;
const FRESH = 60 * 60 * 1000;

/** The keys of an issuer: found by its discovery document when first needed, and anew when a token is signed by none of them. */
export class Provider {
  readonly #issuer: JwtAuthenticator['issuer'];
  readonly #ports: ProviderPorts;
  #keys: readonly ProviderKey[] = [];
  #asked = Number.NEGATIVE_INFINITY;
  #fetching: Promise<void> | undefined;
  #fault: Error | undefined;

  constructor(issuer: JwtAuthenticator['issuer'], ports: ProviderPorts) {
    this.#issuer = issuer;
    this.#ports = ports;
  }

  /** Whether the issuer signed the token. Throws StatusError (401) where it cannot be asked. */
  async signed(jwt: Jwt): Promise<boolean> {
    const age = this.#age();
    if (age < FRESH && (await this.#verifies(jwt))) return true;
    if (this.#fetching !== undefined || age >= PAUSE) await (this.#fetching ??= this.#fetch());
    if (this.#keys.length === 0 && this.#fault !== undefined)
      throw unauthorized(`oidc: authenticator not initialized: ${this.#fault.message}`);
    return this.#verifies(jwt);
  }

  #age(): number {
    return this.#ports.clock.monotonic() - this.#asked;
  }

  /** One key after the other, so that a token takes one thread at a time. */
  async #verifies(jwt: Jwt): Promise<boolean> {
    for (const { keyId, algorithms, key } of this.#keys) {
      const isMeant = jwt.keyId === '' || keyId === jwt.keyId;
      if (isMeant && (await isSignedByForeign(jwt, key, algorithms))) return true;
    }
    return false;
  }

  /** Keys that are known stay where new ones cannot be had. */
  async #fetch(): Promise<void> {
    this.#asked = this.#ports.clock.monotonic();
    try {
      const { url, discoveryURL } = this.#issuer;
      const configuration = await this.#get(
        discoveryURL || `${url.replace(/\/$/, '')}/.well-known/openid-configuration`,
      );
      const named = stringAt(configuration, 'issuer') ?? '';
      if (named !== url)
        throw new TransportError(
          `oidc: issuer URL provided to client ("${url}") did not match the issuer URL returned by provider ("${named}")`,
        );
      const keys = await this.#get(stringAt(configuration, 'jwks_uri') ?? '');
      this.#keys = arrayAt(keys, 'keys').slice(0, MAX_KEYS).filter(isObject).flatMap(readKey);
      this.#fault = undefined;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      this.#fault = error;
    } finally {
      this.#fetching = undefined;
    }
  }

  async #get(url: string): Promise<JsonObject> {
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
      throw new TransportError(`oidc: ${JSON.stringify(url)} is no HTTPS URL`);
    const caBundle = this.#issuer.certificateAuthority;
    const { status, body } = await this.#ports.https.get({ url, caBundle, timeout: TIMEOUT, maxBytes: MAX_BYTES });
    if (status !== 200) throw new TransportError(`oidc: ${url} answered ${status}`);
    const value = decoded(body, url);
    if (isObject(value)) return value;
    throw new TransportError(`oidc: ${url} answered no object`);
  }
}

function decoded(body: Uint8Array, url: string) {
  try {
    return decodeJson(body, { maxDepth: 32 }).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new TransportError(`oidc: ${url}: ${error.message}`);
    throw error;
  }
}

/** A key of a set that signs; none where nothing here can verify by it. */
function readKey(jwk: JsonObject): ProviderKey[] {
  const use = stringAt(jwk, 'use') ?? 'sig';
  const named = stringAt(jwk, 'alg');
  const key = use === 'sig' ? keyOf(jwk) : undefined;
  if (key === undefined || !isCheap(key)) return [];
  const algorithms = algorithmsOf(key).filter((algorithm) => named === undefined || algorithm === named);
  return [{ keyId: stringAt(jwk, 'kid') ?? '', algorithms, key }];
}

/** Whether anybody may have a signature verified by the key: tokens are not believed before. */
export function isCheap({ asymmetricKeyDetails: { modulusLength = 0, publicExponent = 0n } = {} }: KeyObject): boolean {
  return modulusLength <= MAX_MODULUS && publicExponent <= MAX_EXPONENT;
}

/** A private key is none to verify by, as upstream: everyone could sign. */
function keyOf(jwk: JsonObject): KeyObject | undefined {
  if (Object.hasOwn(jwk, 'd')) return undefined;
  const parts = Object.entries(jwk).filter(([name]) => ['kty', 'crv', 'x', 'y', 'n', 'e'].includes(name));
  try {
    return createPublicKey({ key: Object.fromEntries(parts) as JsonWebKey, format: 'jwk' });
  } catch {
    return undefined; // a kind of key that this server does not know: tokens of it are refused
  }
}
