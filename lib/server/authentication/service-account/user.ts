import { isDNS1123Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { CREDENTIAL_ID, type User } from '../user.ts';

const PREFIX = 'system:serviceaccount:';
const GROUPS = 'system:serviceaccounts';

/** The user name `system:serviceaccount:NAMESPACE:NAME`. */
export const serviceAccountName = (namespace: string, name: string): string => `${PREFIX}${namespace}:${name}`;

/** The account with this user name. Undefined for other users. */
export function splitServiceAccountName(
  username: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(PREFIX)) return undefined;
  const [namespace = '', name = '', ...more] = username.slice(PREFIX.length).split(':');
  const fits = isDNS1123Label(namespace).length === 0 && isDNS1123Subdomain(name).length === 0 && more.length === 0;
  return fits ? { namespace, name } : undefined;
}

/** The groups of a namespace's service accounts. */
export const serviceAccountGroups = (namespace: string): string[] => [GROUPS, `${GROUPS}:${namespace}`];

/** An object that a token refers to. */
export interface Named {
  readonly name: string;
  readonly uid: string;
}

/** The user of a service account token, with extras for the pod and node that it is bound to. */
export function serviceAccountUser(known: {
  readonly namespace: string;
  readonly account: Named;
  readonly pod?: Named | undefined;
  readonly node?: Named | undefined;
  readonly tokenId?: string;
}): User {
  const { namespace, account, pod, node, tokenId = '' } = known;
  const extra: Record<string, readonly string[]> = {};
  const say = (key: string, value: string): void => {
    if (value !== '') extra[key] = [value];
  };
  say(CREDENTIAL_ID, tokenId === '' ? '' : `JTI=${tokenId}`);
  say('authentication.kubernetes.io/node-name', node?.name ?? '');
  say('authentication.kubernetes.io/node-uid', node?.uid ?? '');
  say('authentication.kubernetes.io/pod-name', pod?.name ?? '');
  say('authentication.kubernetes.io/pod-uid', pod?.uid ?? '');
  return {
    name: serviceAccountName(namespace, account.name),
    uid: account.uid,
    groups: serviceAccountGroups(namespace),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
