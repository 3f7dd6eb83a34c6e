import { defined } from '#lib/machinery/defined.ts';
import { StatusError, unauthorized } from '#lib/machinery/errors.ts';
import type { Credentials } from '#lib/server/authentication/authenticator.ts';
import { type RequestContext, withFacts } from '#lib/server/request/request-context.ts';
import { headerValues } from '../header-values.ts';
import type { Filter } from './filter.ts';
import { withoutHeaders, withVerifiedBody } from './without-headers.ts';

/** Authenticates the request or rejects it. Later filters always have a user and never see the credentials. */
export const authentication: Filter =
  (next, { authenticator, isIdentityHeader, access, clock }) =>
  async (context) => {
    const { request, latencies } = context;
    const begun = clock.monotonic();
    const count = (result: 'success' | 'failure' | 'error', username?: string): void => {
      const took = clock.monotonic() - begun;
      latencies?.took('authentication', took);
      access.authenticated(result, took, username);
    };
    const known = await authenticator(credentials(context)).catch((error: unknown) => {
      count('error');
      return refused(error);
    });
    count(known === undefined ? 'failure' : 'success', known?.user.name);
    if (known === undefined) throw unauthorized();
    const { clientCertificate: shown } = request.connection ?? {};
    if (shown?.signedBy.includes('client') === true) access.certificate((shown.notAfter - clock.now()) / 1000);
    const isHidden = (name: string): boolean => name === 'authorization' || isIdentityHeader?.(name) === true;
    const { user, bodyDigest } = known;
    const bare = withoutHeaders(request, isHidden);
    return next(
      withFacts(context, { request: bodyDigest === undefined ? bare : withVerifiedBody(bare, bodyDigest), user }),
    );
  };

/** Hides from the client why a credential is wrong. */
function refused(error: unknown): never {
  throw error instanceof StatusError && error.reason === 'Unauthorized' ? unauthorized() : error;
}

const credentials = ({ request, warn, annotations }: RequestContext): Credentials => ({
  path: request.path,
  request: {
    method: request.method,
    path: request.path,
    query: request.query,
    host: headerValues(request, 'host')[0] ?? '',
  },
  headers: (name) => headerValues(request, name),
  headerNames: Object.keys(request.headers),
  ...defined({ clientCertificate: request.connection?.clientCertificate }),
  warn,
  annotate: (key, value) => void annotations.set(key, value),
});
