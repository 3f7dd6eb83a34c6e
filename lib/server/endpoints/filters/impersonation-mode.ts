import { StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { aggregate, FieldPath } from '#lib/machinery/validation/field.ts';
import { isDomainPrefixedPath } from '#lib/machinery/validation/formats.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { serviceAccountGroups, splitServiceAccountName } from '#lib/server/authentication/service-account/user.ts';
import {
  ANONYMOUS,
  AUTHENTICATED,
  SYSTEM_MASTERS,
  UNAUTHENTICATED,
  type User,
} from '#lib/server/authentication/user.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';
import { forbiddenError } from './authorization.ts';

interface Requestor {
  readonly user: User;
  /** The request to make as the impersonated user. */
  readonly info: RequestInfo;
}

/** An impersonation mode. Each required right begins with the mode's verb. KEP-5284. */
interface Mode {
  readonly verb: string;
  /** Whether the right also depends on the impersonated request. */
  readonly constrained: boolean;
  fits(target: User, requestor: User): boolean;
  /** The user and attributes to authorize, if they differ from the requestor's. */
  asked?(user: User, right: RequestInfo): readonly [User, RequestInfo];
}

const NODES = 'system:nodes';
const NODE = 'system:node:';
const NODE_NAME = 'authentication.kubernetes.io/node-name';
const AUTHENTICATION = 'authentication.k8s.io';
const MANY = 4;

const MODES: readonly Mode[] = [
  { verb: 'impersonate:associated-node', constrained: true, fits: isOwnNode, asked: forAnyNode },
  { verb: 'impersonate:arbitrary-node', constrained: true, fits: (target) => isNode(target) && isNameOnly(target) },
  { verb: 'impersonate:serviceaccount', constrained: true, fits: (target) => isAccount(target) && isNameOnly(target) },
  { verb: 'impersonate:user-info', constrained: true, fits: (target) => !isNode(target) && !isAccount(target) },
  { verb: 'impersonate', constrained: false, fits: () => true },
];

/** The impersonated user, and the verb of the constrained mode that allowed the impersonation. */
export interface ImpersonatedUser {
  readonly user: User;
  readonly constraint: string | undefined;
}

/** The maximum number of requestors whose last mode is remembered. */
const REMEMBERED = 10_000;

/**
 * Returns a function that resolves with the impersonated user of the first mode that allows it. It tries the requestor's last successful
 * mode first, because most requestors always use the same mode. It throws the 403 of the first mode that denies.
 */
export function impersonator(
  authorizer: Authorizer,
): (target: User, requestor: Requestor) => Promise<ImpersonatedUser> {
  const last = new Map<string, Mode>();
  return async (target, requestor) => {
    const { name } = requestor.user;
    let refusal: unknown;
    for (const mode of inOrder(last.get(name)).filter(({ fits }) => fits(target, requestor.user))) {
      try {
        const user = await inMode(mode, target, { ...requestor, authorizer });
        last.delete(name);
        last.set(name, mode);
        if (last.size > REMEMBERED) last.delete(last.keys().next().value ?? '');
        return { user, constraint: mode.constrained ? mode.verb : undefined };
      } catch (error) {
        if (!(error instanceof StatusError) || error.reason !== 'Forbidden') throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  };
}

const inOrder = (first: Mode | undefined): readonly Mode[] =>
  first === undefined ? MODES : [first, ...MODES.filter((mode) => mode !== first)];

type Judged = Requestor & { readonly authorizer: Authorizer };

async function inMode(mode: Mode, target: User, requestor: Judged): Promise<User> {
  const check = checker(mode, requestor);
  if (mode.constrained) {
    const on = mode.verb.replace('impersonate:', 'impersonate-on:');
    await check({ ...requestor.info, verb: `${on}:${requestor.info.verb}` });
  }
  const rights = mode.constrained ? constrainedRights(mode, target, requestor) : legacyRights(target);
  for (const { every, each } of rights) {
    if (each.length >= MANY && every !== undefined && (await allowed(check, every))) continue;
    for (const right of each) await check(right);
  }
  return withGroups(mode, target);
}

type Check = (right: RequestInfo) => Promise<void>;

function checker({ asked }: Mode, { user, authorizer }: Judged): Check {
  return async (right) => {
    const [who, what] = asked?.(user, right) ?? [user, right];
    const { decision, reason } = await authorizer(who, what);
    if (decision !== 'allow') throw forbiddenError(who, what, reason);
  };
}

function allowed(check: Check, right: RequestInfo): Promise<boolean> {
  return check(right).then(
    () => true,
    (error: unknown) => {
      if (error instanceof StatusError && error.reason === 'Forbidden') return false;
      throw error;
    },
  );
}

/** The required rights: either all of `each`, or only `every`. */
interface Rights {
  readonly every?: RequestInfo;
  readonly each: readonly RequestInfo[];
}

function legacyRights(target: User): readonly Rights[] {
  return [{ each: [nameRight('impersonate', target, '')] }, ...otherRights('impersonate', target, '')].map(
    ({ each }) => ({ each }),
  );
}

function constrainedRights({ verb }: Mode, target: User, { user }: Requestor): readonly Rights[] {
  const fault = faultOf(verb, target);
  if (fault !== undefined) throw forbiddenError(user, ...fault);
  return [{ each: [nameRight(verb, target, AUTHENTICATION)] }, ...otherRights(verb, target, AUTHENTICATION)];
}

function nameRight(verb: string, { name }: User, group: string): RequestInfo {
  const account = splitServiceAccountName(name);
  if (account !== undefined)
    return { ...right(verb, group, 'serviceaccounts', account.name), namespace: account.namespace };
  const node = group === '' ? undefined : nodeOf(name);
  return node === undefined ? right(verb, group, 'users', name) : right(verb, group, 'nodes', node);
}

function otherRights(verb: string, { uid = '', groups, extra = {} }: User, group: string): readonly Rights[] {
  const one = (key: string, value: string) => ({
    ...right(verb, AUTHENTICATION, 'userextras', value),
    subresource: key,
  });
  return [
    { each: uid === '' ? [] : [right(verb, AUTHENTICATION, 'uids', uid)] },
    { every: right(verb, group, 'groups', '*'), each: groups.map((name) => right(verb, group, 'groups', name)) },
    {
      every: one('*', '*'),
      each: Object.entries(extra).flatMap(([key, values]) => values.map((value) => one(key, value))),
    },
  ];
}

const right = (verb: string, group: string, resource: string, name: string): RequestInfo => ({
  isResourceRequest: true,
  path: '',
  verb,
  group,
  version: 'v1',
  namespace: '',
  resource,
  subresource: '',
  name,
  rest: [],
});

/** Returns why no constrained mode allows the target user, regardless of the requestor's rights. */
function faultOf(verb: string, { groups, extra = {} }: User): readonly [RequestInfo, string] | undefined {
  const group = (name: string) => right(verb, AUTHENTICATION, 'groups', name);
  if (groups.includes('')) return [group(''), 'impersonating the empty string group is not allowed'];
  if (groups.includes(SYSTEM_MASTERS))
    return [group(SYSTEM_MASTERS), `impersonating the ${SYSTEM_MASTERS} group is not allowed`];
  const why = Object.entries(extra)
    .map(extraFault)
    .find((one) => one !== undefined);
  return why === undefined ? undefined : [right(verb, AUTHENTICATION, 'userextras', ''), why];
}

function extraFault([key, values]: [string, readonly string[]]): string | undefined {
  const not = (what: string): string => `impersonating ${what} in extra is not allowed`;
  if (key === '') return not('the empty string key');
  const errors = isDomainPrefixedPath(FieldPath.of('extra', 'key'), key);
  if (errors.length > 0) return `${not('an invalid key')}: ${aggregate(errors)}`;
  if (key !== key.toLowerCase()) return `${not('a non-lowercase key')}: ${quote(key)}`;
  if (values.length === 0) return not('empty values');
  return values.includes('') ? not('the empty string value') : undefined;
}

function withGroups({ constrained }: Mode, target: User): User {
  const groups = ownGroups(constrained, target);
  const implied = target.name === ANONYMOUS.name ? UNAUTHENTICATED : AUTHENTICATED;
  const has = groups.includes(implied) || groups.includes(UNAUTHENTICATED);
  return { ...target, groups: has ? groups : [...groups, implied] };
}

/** The names of nodes and service accounts determine their groups. */
function ownGroups(constrained: boolean, { name, groups }: User): readonly string[] {
  if (groups.length > 0) return groups;
  if (constrained && nodeOf(name) !== undefined) return [NODES];
  const account = splitServiceAccountName(name);
  return account === undefined ? [] : serviceAccountGroups(account.namespace);
}

function nodeOf(username: string): string | undefined {
  const name = username.startsWith(NODE) ? username.slice(NODE.length) : '';
  return isDNS1123Subdomain(name).length === 0 ? name : undefined;
}

const isNode = ({ name }: User): boolean => nodeOf(name) !== undefined;
const isAccount = ({ name }: User): boolean => splitServiceAccountName(name) !== undefined;
const isNameOnly = ({ uid = '', groups, extra = {} }: User): boolean =>
  uid === '' && groups.length === 0 && Object.keys(extra).length === 0;

/** Whether the requestor is a service account that runs on the target node. */
function isOwnNode(target: User, requestor: User): boolean {
  const nodes = requestor.extra?.[NODE_NAME] ?? [];
  return isNameOnly(target) && isAccount(requestor) && nodes.length === 1 && nodes[0] === nodeOf(target.name);
}

/** The right must apply to any node on which the account runs. */
function forAnyNode(user: User, asked: RequestInfo): readonly [User, RequestInfo] {
  const keys = Object.keys(user.extra ?? {}).toSorted();
  const who = { ...user, extra: { 'authentication.kubernetes.io/associated-node-keys': keys } };
  return [who, asked.verb === 'impersonate:associated-node' ? { ...asked, name: '*' } : asked];
}
