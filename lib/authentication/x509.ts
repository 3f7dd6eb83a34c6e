import type { Authenticator } from './authenticator.ts';
import { AUTHENTICATED } from './user.ts';

/** The subject of a client certificate that TLS has verified: common name and organizations are user and groups. */
export const x509: Authenticator = async ({ clientCertificate }) =>
  clientCertificate === undefined || clientCertificate.commonName === ''
    ? undefined
    : { name: clientCertificate.commonName, groups: [...clientCertificate.organizations, AUTHENTICATED] };
