import { StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { qualifiedResource } from '#lib/machinery/schema.ts';
import type { User } from '#lib/authentication/user.ts';
import type { RequestInfo } from '../api.ts';
import type { Filter } from './filter.ts';

/** Refuses what the user may not do, before a body is read or an object looked up. */
export const authorization: Filter =
  (next, { authorizer }) =>
  async (request, state) => {
    const { decision, reason } = await authorizer(state.user, state.info);
    if (decision !== 'allow') throw forbiddenError(state.user, state.info, reason);
    return next(request, state);
  };

/** Upstream's responsewriters.Forbidden. */
export function forbiddenError(user: User, info: RequestInfo, reason: string): StatusError {
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
