import { StatusError, unclassified } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { qualifiedResource } from '#lib/machinery/schema.ts';
import type { User } from '#lib/authentication/user.ts';
import type { Attributes } from '#lib/authorization/authorizer.ts';
import { requestAttributes } from './attributes.ts';
import type { Filter } from './filter.ts';

/** Refuses what the user may not do, before a body is read or an object looked up. */
export const authorization: Filter =
  (next, { authorizer }) =>
  async (request, state) => {
    const attributes = requestAttributes(state.info, request.query);
    const { decision, reason, error } = await authorizer(state.user, attributes);
    state.annotations.set('authorization.k8s.io/decision', decision === 'allow' ? 'allow' : 'forbid');
    state.annotations.set('authorization.k8s.io/reason', reason);
    if (decision === 'allow') return next(request, state);
    if (error !== undefined) throw unclassified(`Internal Server Error: ${quote(request.path)}: ${error}`);
    throw forbiddenError(state.user, attributes, reason);
  };

/** Upstream's responsewriters.Forbidden. */
export function forbiddenError(user: User, info: Attributes, reason: string): StatusError {
  const why = reason === '' ? '' : `: ${reason}`;
  if (!info.isResourceRequest) {
    return new StatusError(
      'Forbidden',
      `forbidden: User ${quote(user.name)} cannot ${info.verb} path ${quote(info.path)}${why}`,
      {},
    );
  }
  const { group, resource, subresource, name, namespace } = info;
  const target = subresource === '' ? resource : `${resource}/${subresource}`;
  const subject = `${qualifiedResource({ group, resource })}${name === '' ? '' : ` ${quote(name)}`}`;
  const where = namespace === '' ? ' at the cluster scope' : ` in the namespace ${quote(namespace)}`;
  const message = `${subject} is forbidden: User ${quote(user.name)} cannot ${info.verb} resource ${quote(target)} in API group ${quote(group)}${where}${why}`;
  const details = { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: resource };
  return new StatusError('Forbidden', message, details);
}
