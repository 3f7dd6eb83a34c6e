import type { Authorizer } from '#lib/authorization/authorizer.ts';
import { AUTHENTICATED, type User } from '#lib/authentication/user.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { ApiRequest, RequestInfo } from '../api.ts';
import { forbiddenError } from './authorization.ts';
import type { Filter } from './filter.ts';

const PREFIX = 'impersonate-';
const EXTRA = 'impersonate-extra-';

/** Whom the Impersonate-* headers name; undefined without any. Throws 400 where they name no user. */
function requested({ headers }: ApiRequest): User | undefined {
  if (!Object.keys(headers).some((name) => name.startsWith(PREFIX))) return undefined;
  const name = headers['impersonate-user'] ?? '';
  const groups = listed(headers['impersonate-group']);
  const uid = headers['impersonate-uid'] ?? '';
  const extra = Object.entries(headers).filter(([header]) => header.startsWith(EXTRA));
  if (name === '') {
    const shown = groups.length === 0 ? '[]string(nil)' : `[]string{${groups.map(quote).join(', ')}}`;
    throw badRequest(
      `requested &user.DefaultInfo{Name:"", UID:${quote(uid)}, Groups:${shown}, Extra:map[string][]string(nil)} without impersonating a user name`,
    );
  }
  return {
    name,
    groups: withDefaults(name, groups),
    ...(uid === '' ? {} : { uid }),
    ...(extra.length === 0
      ? {}
      : {
          extra: Object.fromEntries(
            extra.map(([header, value]) => [decodeURIComponent(header.slice(EXTRA.length)), listed(value)]),
          ),
        }),
  };
}

const listed = (value: string | undefined): string[] =>
  value === undefined ? [] : value.split(',').map((part) => part.trim());

/** Service accounts are in their groups, and everyone but the anonymous is authenticated. */
function withDefaults(name: string, groups: readonly string[]): string[] {
  if (name === 'system:anonymous') return groups.length === 0 ? ['system:unauthenticated'] : [...groups];
  const account = /^system:serviceaccount:([^:]+):[^:]+$/.exec(name);
  const own =
    account === null || groups.length > 0
      ? [...groups]
      : ['system:serviceaccounts', `system:serviceaccounts:${account[1]}`];
  return own.includes(AUTHENTICATED) ? own : [...own, AUTHENTICATED];
}

/** Every user, group, uid and extra that is asked for is a right of its own. */
function rights(
  { name, groups, uid, extra = {} }: User,
  asked: readonly string[],
): Pick<RequestInfo, 'resource' | 'subresource' | 'name' | 'group'>[] {
  const authentication = 'authentication.k8s.io';
  return [
    { group: '', resource: 'users', subresource: '', name },
    ...groups
      .filter((group) => asked.includes(group))
      .map((group) => ({ group: '', resource: 'groups', subresource: '', name: group })),
    ...(uid === undefined ? [] : [{ group: authentication, resource: 'uids', subresource: '', name: uid }]),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => ({ group: authentication, resource: 'userextras', subresource: key, name: value })),
    ),
  ];
}

/** Lets who may do so act as someone else, with that one's rights alone: upstream's WithImpersonation. */
export const impersonation: Filter =
  (next, { authorizer }) =>
  async (request, state) => {
    const wanted = requested(request);
    if (wanted === undefined) return next(request, state);
    await authorize(authorizer, state.user, wanted, listed(request.headers['impersonate-group']));
    state.user = wanted;
    return next(request, state);
  };

async function authorize(authorizer: Authorizer, user: User, wanted: User, asked: readonly string[]): Promise<void> {
  for (const right of rights(wanted, asked)) {
    const attributes = {
      isResourceRequest: true,
      path: '',
      verb: 'impersonate',
      version: 'v1',
      namespace: '',
      rest: [],
      ...right,
    };
    const { decision, reason } = await authorizer(user, attributes);
    if (decision !== 'allow') throw forbiddenError(user, attributes, reason);
  }
}
