import { forbidden, unclassified } from '#lib/machinery/errors.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';

/**
 * Throws 403 if the user may not `create` the pod's stream subresource. SPDY uses a POST, a WebSocket a GET, and the right to read must not
 * include the right to run commands (KEP-4006). Throws 500 if the authorizer fails. Upstream's ensureAuthorizedForVerb.
 */
export async function checkCreateRight(
  authorizer: Authorizer,
  { info, user }: Pick<RequestContext, 'info' | 'user'>,
): Promise<void> {
  if (info.verb === 'create') return; // already checked by the authorization filter
  const { decision, reason, error } = await authorizer(user, { ...info, verb: 'create' });
  if (error !== undefined) throw unclassified(error);
  if (decision !== 'allow') throw forbidden(info, info.name, reason);
}
