import { JWKS, OPENID_CONFIGURATION, type OpenIdMetadata } from '#lib/server/authentication/openid-metadata.ts';
import type { Route } from './non-resource.ts';

/** Clients may cache the documents for an hour. A new key must therefore be published an hour before it signs tokens. */
const CACHED = 'public, max-age=3600';

/** Returns the routes of the issuer's documents. None if no issuer has public metadata. */
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
