import { forbidden, unclassified } from '#lib/machinery/errors.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { RequestState } from '../filters/filter.ts';

/**
 * Refuses a stream to a pod by a user who may not `create` the subresource. SPDY asks with a POST, a WebSocket with a GET, and the
 * right to read must not be the right to run (KEP-4006). Throws 403, or 500 where the authorizer fails: upstream's
 * ensureAuthorizedForVerb.
 */
export async function checkCreateRight(authorizer: Authorizer, { info, user }: RequestState): Promise<void> {
  if (info.verb === 'create') return; // the filter has asked
  const { decision, reason, error } = await authorizer(user, { ...info, verb: 'create' });
  if (error !== undefined) throw unclassified(error);
  if (decision !== 'allow') throw forbidden(info, info.name, reason);
}
