import { unauthorized } from '#lib/machinery/errors.ts';
import type { Filter } from './filter.ts';

/** Says who sends the request, or refuses it: nothing behind this filter runs for nobody. */
export const authentication: Filter =
  (next, { authenticator }) =>
  async (request, state) => {
    const user = await authenticator({
      authorization: request.headers['authorization'],
      ...(request.clientCertificate === undefined ? {} : { clientCertificate: request.clientCertificate }),
    });
    if (user === undefined) throw unauthorized();
    state.user = user;
    return next(request, state);
  };
