import { type StatusError, unauthorized } from '#lib/machinery/errors.ts';
import { isObject, type Json, type JsonObject, ownField, setField, stringAt } from '#lib/machinery/json-value.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import type { JwtAuthenticator } from '../configuration.ts';
import { parseJwt } from '../jwt.ts';
import { Provider, type ProviderPorts } from './provider.ts';
import { issuerOf, tokenFault, UNSIGNED } from './verify.ts';

const TIMEOUT = 10_000;
const MAX_BYTES = 1024 * 1024;
/** The number of issuers of distributed claims whose keys are cached. Another issuer evicts the oldest one. */
const MAX_ISSUERS = 16;

const fault = (message: string): StatusError => unauthorized(`oidc: could not expand distributed claims: ${message}`);

/**
 * Resolves groups that an ID token references instead of containing them (OpenID Connect Core 5.6.2). The endpoint returns a token that its
 * issuer must have signed for the same audiences. Like upstream, the ID token's issuer vouches for the endpoint.
 */
export class DistributedClaims {
  readonly #given: JwtAuthenticator;
  readonly #ports: ProviderPorts;
  readonly #providers = new Map<string, Provider>();

  constructor(given: JwtAuthenticator, ports: ProviderPorts) {
    this.#given = given;
    this.#ports = ports;
  }

  /** The verified claims of a token, including distributed groups. Throws StatusError (401). */
  async expand(claims: JsonObject): Promise<JsonObject> {
    const { claim } = this.#given.claimMappings.groups;
    const source = claim === '' ? undefined : sourceOf(claims, claim);
    if (source === undefined) return claims;
    const expanded = { ...claims };
    setField(expanded, claim, await this.#resolve(source, claim));
    return expanded;
  }

  async #resolve(source: Source, claim: string): Promise<Json> {
    const jwt = parseJwt(await this.#token(source, claim));
    const issuer = jwt && issuerOf(jwt);
    if (jwt === undefined || issuer === undefined)
      throw fault(`getting untrusted issuer from endpoint ${source.url} failed for claim ${JSON.stringify(claim)}`);
    const wrong = tokenFault(jwt, { audiences: this.#given.issuer.audiences, now: this.#ports.clock.now() / 1000 });
    if (wrong !== undefined) throw fault(`verify distributed claim token: ${wrong}`);
    if (!(await this.#provider(issuer).signed(jwt))) throw fault(`verify distributed claim token: ${UNSIGNED}`);
    const value = ownField(jwt.claims, claim);
    if (value !== undefined) return value;
    throw fault(`jwt returned by distributed claim endpoint "${source.url}" did not contain claim: ${claim}`);
  }

  async #token({ url, accessToken }: Source, claim: string): Promise<string> {
    const what = `while getting distributed claim ${JSON.stringify(claim)}`;
    if (!URL.canParse(url) || new URL(url).protocol !== 'https:') throw fault(`${what}: ${url} is no HTTPS URL`);
    const headers = accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` };
    const asked = { url, headers, caBundle: this.#given.issuer.certificateAuthority };
    try {
      const { status, body } = await this.#ports.https.get({ ...asked, timeout: TIMEOUT, maxBytes: MAX_BYTES });
      if (status >= 200 && status <= 299) return Buffer.from(body).toString();
      throw fault(`${what}: error while getting distributed claim JWT: ${status}`);
    } catch (error) {
      if (error instanceof TransportError) throw fault(`${what}: ${error.message}`);
      throw error;
    }
  }

  #provider(url: string): Provider {
    const known = this.#providers.get(url);
    if (known !== undefined) return known;
    if (this.#providers.size >= MAX_ISSUERS) this.#providers.delete(this.#providers.keys().next().value ?? '');
    const made = new Provider({ ...this.#given.issuer, url, discoveryURL: '' }, this.#ports);
    this.#providers.set(url, made);
    return made;
  }
}

interface Source {
  readonly url: string;
  readonly accessToken: string;
}

/** The source of a claim. Undefined if the token contains the claim or names no endpoint. */
function sourceOf(claims: JsonObject, claim: string): Source | undefined {
  const names = ownField(claims, '_claim_names');
  if (names === undefined || ownField(claims, claim) !== undefined) return undefined;
  if (!isObject(names)) throw fault('oidc: error parsing distributed claim names: not an object');
  const sources = ownField(claims, '_claim_sources');
  if (sources === undefined) throw fault('oidc: no claim sources');
  if (!isObject(sources)) throw fault('oidc: could not parse claim sources: not an object');
  const name = stringAt(names, claim);
  if (name === undefined) return undefined;
  const source = ownField(sources, name);
  if (!isObject(source)) throw fault(`id token _claim_names contained a source ${name} missing in _claims_sources`);
  // Without an endpoint it may be an aggregated claim, which upstream ignores.
  const url = stringAt(source, 'endpoint') ?? '';
  return url === '' ? undefined : { url, accessToken: stringAt(source, 'access_token') ?? '' };
}
