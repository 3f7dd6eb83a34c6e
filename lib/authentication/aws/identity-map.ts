import * as z from 'zod';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import type { User } from '../user.ts';
import { parsePrincipal, type Principal } from './arn.ts';

const named = { username: z.string().default(''), groups: z.array(z.string()).default([]) };
const map = z.strictObject({
  /** What tokens must be signed for. */
  clusterID: z.string().min(1),
  partition: z.enum(['aws', 'aws-cn', 'aws-us-gov', 'aws-iso', 'aws-iso-b']).default('aws'),
  mapRoles: z.array(z.strictObject({ rolearn: z.string(), ...named })).default([]),
  mapUsers: z.array(z.strictObject({ userarn: z.string(), ...named })).default([]),
  mapAccounts: z.array(z.string().regex(/^\d{12}$/)).default([]),
});

/** Whose AWS identity is whom here, in the words of EKS' aws-auth. */
export interface IdentityMap {
  readonly clusterId: string;
  readonly partition: z.infer<typeof map>['partition'];
  readonly principals: ReadonlyMap<string, Named>;
  /** Everyone in these is known by their ARN, in no group. */
  readonly accounts: ReadonlySet<string>;
}

interface Named {
  readonly username: string;
  readonly groups: readonly string[];
}

/** Reads YAML or JSON. Throws TypeError that names what is wrong. */
export const parseIdentityMap = (text: string): IdentityMap => identityMapOf(decodeYaml(Buffer.from(text)).value);

/** As `parseIdentityMap`, of a value. */
export function identityMapOf(value: unknown): IdentityMap {
  const read = map.safeParse(value);
  if (!read.success) throw new TypeError(z.prettifyError(read.error));
  const { clusterID, partition, mapRoles, mapUsers, mapAccounts } = read.data;
  const all = [
    ...mapRoles.map(({ rolearn, ...rest }) => ({ arn: rolearn, ...rest })),
    ...mapUsers.map(({ userarn, ...rest }) => ({ arn: userarn, ...rest })),
  ];
  const principals = new Map(all.map(({ arn, ...one }) => [canonical(arn), one]));
  return { clusterId: clusterID, partition, principals, accounts: new Set(mapAccounts) };
}

function canonical(arn: string): string {
  const principal = parsePrincipal(arn);
  if (principal === undefined) throw new TypeError(`${JSON.stringify(arn)} is the ARN of no role or user`);
  return principal.canonicalArn;
}

/** Who someone is here; undefined for who is not in the map. */
export function mapped(
  { principals, accounts }: IdentityMap,
  principal: Principal,
  accessKeyId: string,
): Pick<User, 'name' | 'groups'> | undefined {
  const { canonicalArn, account, sessionName } = principal;
  const found = principals.get(canonicalArn);
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
