import type { User } from '#lib/server/authentication/user.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';

/** Whether the user may perform the verb for a signer, or for all signers of its domain: upstream's IsAuthorizedForSignerName. */
export async function mayForSigner(
  authorizer: Authorizer,
  user: User,
  verb: string,
  signerName: string,
): Promise<boolean> {
  const may = async (name: string): Promise<boolean> => {
    const { decision } = await authorizer(user, {
      isResourceRequest: true,
      path: '',
      verb,
      group: 'certificates.k8s.io',
      version: '*',
      namespace: '',
      resource: 'signers',
      subresource: '',
      name,
    });
    return decision === 'allow';
  };
  return (await may(signerName)) || may(`${signerName.split('/')[0]}/*`);
}
