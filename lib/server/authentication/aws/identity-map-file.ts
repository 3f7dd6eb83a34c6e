import * as z from 'zod';
import { issuesText } from '#lib/machinery/issues.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { decodeYaml, YamlError } from '#lib/machinery/yaml.ts';
import { parsePrincipal } from './arn.ts';
import { type Identities, type IdentityMap, identityMap } from './identity-map.ts';

const named = { username: z.string().default(''), groups: z.array(z.string()).default([]) };
const role = z
  .strictObject({ rolearn: z.string(), ...named })
  .transform(({ rolearn: arn, ...rest }) => ({ arn, ...rest }));
const user = z
  .strictObject({ userarn: z.string(), ...named })
  .transform(({ userarn: arn, ...rest }) => ({ arn, ...rest }));
const nodeRole = z.strictObject({ rolearn: z.string().regex(/:role\//, 'is the ARN of a role') });
const account = z.string().regex(/^\d{12}$/);

/** A list, or YAML text that contains one, as in the EKS ConfigMap. */
const list = <T extends z.ZodType>(item: T) =>
  z.preprocess((given) => (typeof given === 'string' ? yamlOf(given) : given), z.array(item)).default([]);

const map = z.strictObject({
  /** The cluster ID that tokens must be signed for. */
  clusterID: z.string().min(1),
  partition: z.enum(['aws', 'aws-cn', 'aws-us-gov', 'aws-iso', 'aws-iso-b']).default('aws'),
  mapRoles: list(role),
  mapUsers: list(user),
  mapAccounts: list(account),
  /** Roles of EC2 instances that join as nodes. */
  mapNodeRoles: list(nodeRole),
});

/** Parses YAML or JSON. Throws TypeError with the invalid fields. */
export function parseIdentityMap(text: string): IdentityMap {
  const read = map.safeParse(decodeYaml(Buffer.from(text)).value);
  if (!read.success) throw new TypeError(z.prettifyError(read.error));
  const { clusterID: clusterId, partition, mapRoles, mapUsers, mapAccounts, mapNodeRoles } = read.data;
  const principals = [...mapRoles, ...mapUsers];
  const nodeRoles = mapNodeRoles.map(({ rolearn }) => rolearn);
  const made = identityMap({ clusterId, partition, principals, accounts: mapAccounts, nodeRoles });
  for (const arn of made.nodeRoles)
    if (made.principals.has(arn)) throw new TypeError(`mapNodeRoles: ${arn} is in mapRoles too`);
  return made;
}

/** The identities in a ConfigMap. */
interface FoundIdentities extends Pick<Identities, 'principals' | 'accounts'> {
  /** Ignored entries, in the format `mapRoles[1]: reason`. */
  readonly faults: readonly string[];
}

/** The identities in the data of the ConfigMap aws-auth. Omits invalid entries and keeps the others, like EKS. */
export function identitiesIn(data: Readonly<Record<string, string>> | undefined): FoundIdentities {
  const faults: string[] = [];
  const right = <T>(field: string, item: z.ZodType<T>): T[] => {
    const text = ownField(data, field) ?? '';
    const given = yamlOf(text);
    if (!Array.isArray(given)) {
      if (given !== null && text.trim() !== '') faults.push(`${field}: is no list in YAML`);
      return [];
    }
    return given.flatMap((one, index) => {
      const read = item.safeParse(one);
      if (read.success) return [read.data];
      faults.push(`${field}[${index}]: ${issuesText(read.error.issues)}`);
      return [];
    });
  };
  const principals = [
    ...right('mapRoles', role.refine(...OF_SOMEBODY)),
    ...right('mapUsers', user.refine(...OF_SOMEBODY)),
  ];
  return { principals, accounts: right('mapAccounts', account), faults };
}

const OF_SOMEBODY = [
  ({ arn }: { readonly arn: string }): boolean => parsePrincipal(arn) !== undefined,
  'the ARN is of no role or user',
] as const;

/** The value of YAML text. Undefined if the text is not YAML. */
function yamlOf(text: string): unknown {
  try {
    return decodeYaml(Buffer.from(text)).value;
  } catch (error) {
    if (error instanceof YamlError || error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
