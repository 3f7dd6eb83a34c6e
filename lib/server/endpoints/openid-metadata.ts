import { JWKS, OPENID_CONFIGURATION, type OpenIdMetadata } from '#lib/server/authentication/openid-metadata.ts';
import type { Route } from './non-resource.ts';

/** For as long as readers may keep it, an hour: a new key must be published for as long before it signs. */
const CACHED = 'public, max-age=3600';

/** The issuer's documents; none without an issuer that others can look up. */
export function openIdRoutes(metadata: OpenIdMetadata | undefined): readonly Route[] {
  if (metadata === undefined) return [];
  return [
    document(OPENID_CONFIGURATION, 'application/json', metadata.configuration),
    document(JWKS, 'application/jwk-set+json', metadata.keySet),
  ];
}

const document = (path: string, type: string, body: () => Promise<string>): Route => ({
  path,
  handle: async () => ({ status: 200, headers: { 'content-type': type, 'cache-control': CACHED }, body: await body() }),
});
