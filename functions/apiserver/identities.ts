import { FUNCTIONS_NAMESPACE } from '#lib/client/controller/function-account.ts';
import type { AwsIdentities } from '#lib/server/authentication/aws/authenticator.ts';
import { type IdentityMap, identityMap } from '#lib/server/authentication/aws/identity-map.ts';
import { partitionOf } from '#lib/server/authentication/aws/presigned-url.ts';
import { serviceAccountUser } from '#lib/server/authentication/service-account/user.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import type { Config } from './config.ts';

/**
 * The AWS identities of a deployment, authenticated with tokens that STS verifies: mapped identities, the first administrator, and users'
 * reconcilers, each as a service account. The identity map cannot change the administrator or the reconcilers.
 */
export function identities(
  { clusterId, admin, reconcilerRoles, stsEndpoint }: Config,
  mapped: IdentityMap | undefined,
): AwsIdentities {
  const accounts = reconcilerRoles.map(({ arn, name }) => {
    const account = { namespace: FUNCTIONS_NAMESPACE, account: { name, uid: '' } };
    const { name: username, groups } = serviceAccountUser(account);
    return { arn, username, groups };
  });
  const own = [{ arn: admin, username: '', groups: [SYSTEM_MASTERS] }, ...accounts];
  const others = Array.from(mapped?.principals ?? [], ([arn, named]) => ({ arn, ...named }));
  const map = identityMap({
    clusterId,
    partition: partitionOf(admin),
    principals: [...others, ...own],
    accounts: [...(mapped?.accounts ?? [])],
    nodeRoles: [...(mapped?.nodeRoles ?? [])],
  });
  if (stsEndpoint === undefined) return { map };
  const { hostname: host, port } = new URL(stsEndpoint);
  return { map, endpoint: { host, port: port === '' ? 443 : Number(port), caBundle: '' } };
}
