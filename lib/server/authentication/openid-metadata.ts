import { encodeJson } from '#lib/machinery/json.ts';
import { jwkOf, type VerificationKey } from './key.ts';

/** The path of the discovery document. */
export const OPENID_CONFIGURATION = '/.well-known/openid-configuration';
/** The path of the key set. */
export const JWKS = '/openid/v1/jwks';

/** The documents that the service account issuer publishes, as JSON. */
export interface OpenIdMetadata {
  configuration(): Promise<string>;
  keySet(): Promise<string>;
}

/** Undefined if the issuer is not an HTTPS URL, or has a query or fragment, because clients could not discover it. */
export function openIdMetadata(given: {
  readonly issuer: string;
  readonly jwksUri: string;
  keys(): Promise<readonly VerificationKey[]>;
}): OpenIdMetadata | undefined {
  const { issuer, jwksUri, keys } = given;
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url?.protocol !== 'https:' || url.search !== '' || url.hash !== '') return undefined;
  return {
    configuration: async () =>
      JSON.stringify({
        issuer,
        jwks_uri: jwksUri,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: algorithmsOf(await keys()),
      }),
    keySet: async () => encodeJson({ keys: (await keys()).map(jwkOf) }),
  };
}

const algorithmsOf = (keys: readonly VerificationKey[]): readonly string[] =>
  [...new Set(keys.map(({ algorithm }) => algorithm))].toSorted();
