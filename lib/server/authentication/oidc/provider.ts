import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { unauthorized } from '#lib/machinery/errors.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
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
/** The maximum number of keys read per issuer. */
const MAX_KEYS = 100;
/** The maximum modulus in bits and the maximum exponent, as in Go's TLS and RSA. A larger key takes seconds per signature. */
const MAX_MODULUS = 8192;
/** The minimum interval in ms between calls to an issuer, and the age after which its keys are reloaded so that removed ones expire. */
const PAUSE = 10_000;
const FRESH = 60 * 60 * 1000;

/** The keys of an issuer. They are discovered on first use, and reloaded if none of them signed a token. */
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

  /** Whether the issuer signed the token. Throws StatusError (401) if its keys cannot be loaded. */
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

  /** Tries one key at a time, so that a token occupies only one thread. */
  async #verifies(jwt: Jwt): Promise<boolean> {
    for (const { keyId, algorithms, key } of this.#keys) {
      const isMeant = jwt.keyId === '' || keyId === jwt.keyId;
      if (isMeant && (await isSignedByForeign(jwt, key, algorithms))) return true;
    }
    return false;
  }

  /** Keeps the known keys if new ones cannot be loaded. */
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

/** The signing key in a JWK. Empty if this server cannot verify with it. */
function readKey(jwk: JsonObject): ProviderKey[] {
  const use = stringAt(jwk, 'use') ?? 'sig';
  const named = stringAt(jwk, 'alg');
  const key = use === 'sig' ? keyOf(jwk) : undefined;
  if (key === undefined || !isCheap(key)) return [];
  const algorithms = algorithmsOf(key).filter((algorithm) => named === undefined || algorithm === named);
  return [{ keyId: stringAt(jwk, 'kid') ?? '', algorithms, key }];
}

/** Whether verification with the key is cheap enough for unauthenticated clients. */
export function isCheap({ asymmetricKeyDetails: { modulusLength = 0, publicExponent = 0n } = {} }: KeyObject): boolean {
  return modulusLength <= MAX_MODULUS && publicExponent <= MAX_INT32;
}

/** Rejects a private key, like upstream, because anyone could sign with it. */
function keyOf(jwk: JsonObject): KeyObject | undefined {
  if (Object.hasOwn(jwk, 'd')) return undefined;
  const parts = Object.entries(jwk).filter(([name]) => ['kty', 'crv', 'x', 'y', 'n', 'e'].includes(name));
  try {
    return createPublicKey({ key: Object.fromEntries(parts) as JsonWebKey, format: 'jwk' });
  } catch {
    return undefined; // an unsupported key type, whose tokens are rejected
  }
}
