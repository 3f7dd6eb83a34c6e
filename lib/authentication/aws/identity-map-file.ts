import * as z from 'zod';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import { identityMap, type IdentityMap } from './identity-map.ts';

const named = { username: z.string().default(''), groups: z.array(z.string()).default([]) };
const map = z.strictObject({
  /** The cluster id that tokens must be signed for. */
  clusterID: z.string().min(1),
  partition: z.enum(['aws', 'aws-cn', 'aws-us-gov', 'aws-iso', 'aws-iso-b']).default('aws'),
  mapRoles: z.array(z.strictObject({ rolearn: z.string(), ...named })).default([]),
  mapUsers: z.array(z.strictObject({ userarn: z.string(), ...named })).default([]),
  mapAccounts: z.array(z.string().regex(/^\d{12}$/)).default([]),
});

/** Reads YAML or JSON. Throws TypeError that names what is wrong. */
export function parseIdentityMap(text: string): IdentityMap {
  const read = map.safeParse(decodeYaml(Buffer.from(text)).value);
  if (!read.success) throw new TypeError(z.prettifyError(read.error));
  const { clusterID: clusterId, partition, mapRoles, mapUsers, mapAccounts } = read.data;
  const principals = [
    ...mapRoles.map(({ rolearn, ...rest }) => ({ arn: rolearn, ...rest })),
    ...mapUsers.map(({ userarn, ...rest }) => ({ arn: userarn, ...rest })),
  ];
  return identityMap({ clusterId, partition, principals, accounts: mapAccounts });
}
