import { CREDENTIAL_ID, type User } from '../user.ts';

const PREFIX = 'system:serviceaccount:';
const GROUPS = 'system:serviceaccounts';

export const serviceAccountName = (namespace: string, name: string): string => `${PREFIX}${namespace}:${name}`;

export interface Named {
  readonly name: string;
  readonly uid: string;
}

/** Who acts with a service account's token, and what is known of where. */
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
    groups: [GROUPS, `${GROUPS}:${namespace}`],
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
