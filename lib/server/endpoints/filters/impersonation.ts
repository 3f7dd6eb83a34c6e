import { defined } from '#lib/machinery/defined.ts';
import { badRequest, StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { extraKey } from '#lib/server/authentication/extra-key.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { type RequestContext, withFacts } from '#lib/server/request/request-context.ts';
import { headerValues } from '../header-values.ts';
import { refusal } from './authorization.ts';
import type { Filter } from './filter.ts';
import { type ImpersonatedUser, impersonator } from './impersonation-mode.ts';
import { withoutHeaders } from './without-headers.ts';

const USER = 'impersonate-user';
const UID = 'impersonate-uid';
const GROUP = 'impersonate-group';
const EXTRA = 'impersonate-extra-';

/** Lets an authorized user act as another user, with only that user's rights. Upstream's WithConstrainedImpersonation. */
export const impersonation: Filter = (next, { authorizer, clock }) => {
  const impersonated = impersonator(authorizer);
  const userOf = async ({
    request,
    user,
    info,
    latencies,
  }: RequestContext): Promise<ImpersonatedUser | undefined | StatusError> => {
    try {
      const target = requested(request);
      if (target === undefined) return undefined;
      const begun = clock.monotonic();
      const recordLatency = (): void => latencies?.took('impersonation', clock.monotonic() - begun);
      return await impersonated(target, { user, info }).finally(recordLatency);
    } catch (error) {
      if (error instanceof StatusError) return error;
      throw error;
    }
  };
  return async (context) => {
    const allowed = await userOf(context);
    if (allowed instanceof StatusError) return refusal(allowed, context.request);
    const request = withoutHeaders(context.request, isImpersonation);
    if (allowed === undefined && request === context.request) return next(context);
    return next(withFacts(context, { request, ...impersonating(context.user, allowed) }));
  };
};

/** Returns the facts of an impersonation. None if the headers name no user. */
function impersonating(realUser: User, allowed: ImpersonatedUser | undefined): Partial<RequestContext> {
  if (allowed === undefined) return {};
  const { user, constraint: impersonationConstraint } = allowed;
  return { user, impersonator: realUser, ...defined({ impersonationConstraint }) };
}

const isImpersonation = (name: string): boolean =>
  name === USER || name === UID || name === GROUP || name.startsWith(EXTRA);

/** Returns the user that the Impersonate-* headers name. Undefined without such headers. Throws 400 if they name no user. */
function requested(request: ApiRequest): User | undefined {
  const headers = Object.keys(request.headers).filter(isImpersonation);
  if (headers.length === 0) return undefined;
  const name = headerValues(request, USER)[0] ?? '';
  const uid = headerValues(request, UID)[0] ?? '';
  const groups = listed(request, GROUP);
  const extra = extrasOf(request, headers);
  const target = {
    name,
    groups,
    ...(uid === '' ? {} : { uid }),
    ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
  if (name !== '') return target;
  if (uid === '' && !headers.includes(GROUP) && extra.size === 0) return undefined;
  throw badRequest(`requested ${goSyntax(target)} without impersonating a user name`);
}

/** The same key may occur in several spellings. */
function extrasOf(request: ApiRequest, headers: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  for (const header of headers.filter((name) => name.startsWith(EXTRA))) {
    const key = extraKey(header.slice(EXTRA.length));
    extra.set(key, [...(extra.get(key) ?? []), ...listed(request, header)]);
  }
  return extra;
}

/** Splits the values of a header if the platform joined them. */
function listed(request: ApiRequest, name: string): readonly string[] {
  const values = headerValues(request, name);
  return request.rawHeaders === undefined ? values.flatMap((value) => value.split(/, */)) : values;
}

/** Formats a user like Go's %#v. */
function goSyntax({ name, uid = '', groups, extra = {} }: User): string {
  const list = (values: readonly string[]): string =>
    values.length === 0 ? '[]string(nil)' : `[]string{${values.map(quote).join(', ')}}`;
  const entries = Object.entries(extra).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shown = entries.map(([key, values]) => `${quote(key)}:${list(values)}`).join(', ');
  const map = entries.length === 0 ? '(nil)' : `{${shown}}`;
  return `&user.DefaultInfo{Name:${quote(name)}, UID:${quote(uid)}, Groups:${list(groups)}, Extra:map[string][]string${map}}`;
}
