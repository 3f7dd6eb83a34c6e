import type { Clock } from '#lib/machinery/clock.ts';
import { unauthorized } from '#lib/machinery/errors.ts';
import type { Authenticator, ClientCertificate } from './authenticator.ts';
import { CREDENTIAL_ID, type User } from './user.ts';

/** Authenticates a client certificate: the common name is the user, the organizations are its groups. */
export function x509(clock: Clock): Authenticator {
  return async ({ clientCertificate: shown }) => {
    if (shown === undefined) return undefined;
    if (!shown.signedBy.includes('client')) throw unauthorized('x509: certificate signed by unknown authority');
    if (clock.now() > shown.notAfter) throw unauthorized('x509: certificate has expired or is not yet valid');
    return shown.commonName === '' ? undefined : { user: certificateUser(shown) };
  };
}

/** The user in a client certificate. */
export const certificateUser = ({ commonName: name, organizations: groups, sha256 }: ClientCertificate): User => ({
  name,
  groups,
  extra: { [CREDENTIAL_ID]: [`X509SHA256=${sha256}`] },
});
