import { forbidden, internalError, StatusError, unclassified } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Attributes, Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { type RequestContext, withFacts } from '#lib/server/request/request-context.ts';
import type { ApiResponse } from '../api.ts';
import { statusResponse } from '../status-response.ts';
import { requestAttributes } from './attributes.ts';
import type { Filter } from './filter.ts';

/** Rejects requests that the user may not make, before the body is read or an object is looked up. */
export const authorization: Filter =
  (next, { authorizer, access, clock }) =>
  async (context) => {
    const { request, user, annotations } = context;
    const attributes = requestAttributes(context);
    const begun = clock.monotonic();
    const decided = await authorizer(user, attributes);
    const took = clock.monotonic() - begun;
    context.latencies?.took('authorization', took);
    access.authorized(decided, took);
    const { decision, reason, error } = decided;
    annotations.set('authorization.k8s.io/decision', decision === 'allow' ? 'allow' : 'forbid');
    annotations.set('authorization.k8s.io/reason', reason);
    if (decision === 'allow') return next(withRights(context, authorizer, attributes));
    if (error !== undefined) throw unclassified(`Internal Server Error: ${quote(request.path)}: ${error}`);
    return refusal(forbiddenError(user, attributes, reason), request);
  };

/** Adds checks of the additional rights that some verbs need. */
function withRights(context: RequestContext, authorizer: Authorizer, attributes: Attributes): RequestContext {
  if (CREATING.has(attributes.verb))
    return withFacts(context, { mayCreate: creation(authorizer, context.user, attributes) });
  if (attributes.verb === 'delete')
    return withFacts(context, { mayDiscard: discarding(authorizer, context.user, attributes) });
  return context;
}

/** Verbs that create a missing object: an update for some kinds, server-side apply for all. */
const CREATING: ReadonlySet<string> = new Set(['update', 'patch']);

/**
 * Checks that the user may create the object, like upstream's withAuthorization. The right to update an object does not include the right
 * to create it.
 */
function creation(authorizer: Authorizer, user: User, attributes: Attributes): () => Promise<void> {
  return async () => {
    const create = { ...attributes, verb: 'create' };
    const { decision, reason, error } = await authorizer(user, create);
    if (decision === 'allow') return;
    throw error === undefined ? forbiddenError(user, create, reason) : internalError(error);
  };
}

/** Upstream's authorizeUnsafeDelete. */
function discarding(authorizer: Authorizer, user: User, attributes: Attributes): () => Promise<void> {
  return async () => {
    const verb = 'unsafe-delete-ignore-read-errors';
    const { decision, reason, error } = await authorizer(user, { ...attributes, verb });
    if (decision === 'allow') return;
    const why = `not permitted to do ${quote(verb)}, reason: ${reason}`;
    const fault = `error while checking permission for ${quote(verb)}, ${error ?? ''}`;
    throw forbidden(attributes, attributes.name, error === undefined ? why : fault);
  };
}

/**
 * Returns the response to a rejected request. The message quotes the request, so the browser must not sniff it as a page. Upstream's
 * RespondWithError.
 */
export function refusal(error: StatusError, request: ApiRequest): ApiResponse {
  const { headers, ...answer } = statusResponse(error, request);
  return { ...answer, headers: { ...headers, 'x-content-type-options': 'nosniff' } };
}

/** Upstream's responsewriters.ForbiddenStatusError. */
export function forbiddenError(user: User, info: Attributes, reason: string): StatusError {
  const message = withoutMarkup(`User ${quote(user.name)} cannot ${info.verb} ${whatOf(info)}`);
  const why = reason === '' ? message : `${message}: ${reason}`;
  if (!info.isResourceRequest) return new StatusError('Forbidden', `forbidden: ${why}`, {});
  return forbidden(info, info.name, why);
}

function whatOf({ isResourceRequest, path, group, resource, subresource, namespace }: Attributes): string {
  if (!isResourceRequest) return `path ${quote(path)}`;
  const target = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  return `resource ${quote(target)} in API group ${quote(group)} ${where}`;
}

const withoutMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
