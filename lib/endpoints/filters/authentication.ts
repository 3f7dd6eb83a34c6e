import type { Credentials } from '#lib/authentication/authenticator.ts';
import { StatusError, unauthorized } from '#lib/machinery/errors.ts';
import type { ApiRequest } from '../api.ts';
import { headerValues } from '../header-values.ts';
import type { Filter, RequestState } from './filter.ts';
import { withoutHeaders } from './without-headers.ts';

/** Says who sends the request, or refuses it: nothing behind this filter runs for nobody, or sees by what one is known. */
export const authentication: Filter =
  (next, { authenticator, isIdentityHeader }) =>
  async (request, state) => {
    const known = await authenticator(credentials(request, state)).catch(refused);
    if (known === undefined) throw unauthorized();
    state.user = known.user;
    const isHidden = (name: string): boolean => name === 'authorization' || isIdentityHeader?.(name) === true;
    return next(withoutHeaders(request, isHidden), state);
  };

/** Why a credential is wrong is nobody's business but the operator's. */
function refused(error: unknown): never {
  throw error instanceof StatusError && error.reason === 'Unauthorized' ? unauthorized() : error;
}

const credentials = (request: ApiRequest, { warnings }: RequestState): Credentials => ({
  path: request.path,
  headers: (name) => headerValues(request, name),
  headerNames: Object.keys(request.headers),
  ...(request.clientCertificate === undefined ? {} : { clientCertificate: request.clientCertificate }),
  warn: (text) => void warnings.add(text),
});
