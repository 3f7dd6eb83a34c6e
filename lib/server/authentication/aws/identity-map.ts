import { instanceUser, isInstanceId } from '../node-bootstrap.ts';
import type { User } from '../user.ts';
import { type Principal, parsePrincipal } from './arn.ts';
import type { Partition } from './presigned-url.ts';

/** The users that AWS identities stand for, in the words of EKS' aws-auth. */
export interface IdentityMap {
  readonly clusterId: string;
  readonly partition: Partition;
  readonly principals: ReadonlyMap<string, Named>;
  /** Everyone in these is known by their ARN, in no group. */
  readonly accounts: ReadonlySet<string>;
  /** Roles of EC2 instances that join as nodes, by their canonical ARNs. */
  readonly nodeRoles: ReadonlySet<string>;
}

interface Named {
  readonly username: string;
  readonly groups: readonly string[];
}

/** The identities of a map's file. */
export interface Identities {
  readonly clusterId: string;
  readonly partition: Partition;
  readonly principals: readonly (Named & { readonly arn: string })[];
  readonly accounts: readonly string[];
  /** The ARNs of roles of EC2 instances that join as nodes. Default none. */
  readonly nodeRoles?: readonly string[];
}

/** Throws TypeError for the ARN of nobody that can be mapped. */
export function identityMap({ clusterId, partition, principals, accounts, nodeRoles = [] }: Identities): IdentityMap {
  const byArn = new Map(principals.map(({ arn, ...one }) => [canonical(arn), one]));
  return {
    clusterId,
    partition,
    principals: byArn,
    accounts: new Set(accounts),
    nodeRoles: new Set(nodeRoles.map(canonical)),
  };
}

/** The map, and others behind it: it counts where both know an ARN. */
export function withOthers(
  map: IdentityMap,
  { principals, accounts }: Pick<Identities, 'principals' | 'accounts'>,
): IdentityMap {
  const all = [...principals, ...Array.from(map.principals, ([arn, one]) => ({ arn, ...one }))];
  return identityMap({
    ...map,
    principals: all,
    accounts: [...accounts, ...map.accounts],
    nodeRoles: [...map.nodeRoles],
  });
}

function canonical(arn: string): string {
  const principal = parsePrincipal(arn);
  if (principal === undefined) throw new TypeError(`${JSON.stringify(arn)} is the ARN of no role or user`);
  return principal.canonicalArn;
}

/**
 * The user that a principal stands for; undefined for one that the map does not have. EC2 names the session of an instance by its id, so a
 * session of a role of nodes stands for that instance.
 */
export function mappedUser(
  { principals, accounts, nodeRoles }: IdentityMap,
  principal: Principal,
  accessKeyId: string,
): Pick<User, 'name' | 'groups'> | undefined {
  const { canonicalArn, account, sessionName } = principal;
  const found = principals.get(canonicalArn);
  if (found === undefined && nodeRoles.has(canonicalArn))
    return isInstanceId(sessionName) ? instanceUser(sessionName) : undefined;
  if (found === undefined) return accounts.has(account) ? { name: canonicalArn, groups: [] } : undefined;
  const values: Readonly<Record<string, string>> = {
    AccountID: account,
    SessionName: sessionName.replaceAll('@', '-'),
    SessionNameRaw: sessionName,
    AccessKeyID: accessKeyId,
  };
  const fill = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
    );
  return { name: fill(found.username) || canonicalArn, groups: found.groups.map(fill) };
}
