import { instanceUser, isInstanceId } from '../node-bootstrap.ts';
import type { User } from '../user.ts';
import { type Principal, parsePrincipal } from './arn.ts';
import type { Partition } from './presigned-url.ts';

/** Maps AWS identities to users, with the terms of EKS's aws-auth. */
export interface IdentityMap {
  readonly clusterId: string;
  readonly partition: Partition;
  readonly principals: ReadonlyMap<string, Named>;
  /** Every principal of these accounts has its ARN as user name, and no groups. */
  readonly accounts: ReadonlySet<string>;
  /** Roles of EC2 instances that join as nodes, by canonical ARN. */
  readonly nodeRoles: ReadonlySet<string>;
}

interface Named {
  readonly username: string;
  readonly groups: readonly string[];
}

/** The identities in a map file. */
export interface Identities {
  readonly clusterId: string;
  readonly partition: Partition;
  readonly principals: readonly (Named & { readonly arn: string })[];
  readonly accounts: readonly string[];
  /** The ARNs of roles of EC2 instances that join as nodes. Default none. */
  readonly nodeRoles?: readonly string[];
}

/** Throws TypeError for an ARN that cannot be mapped. */
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

/** Extends the map by others. The map takes precedence for an ARN that both contain. */
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
 * The user of a principal. Undefined if the map does not contain it. EC2 uses the instance ID as the session name, so a session of a node
 * role represents that instance.
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
