import { typedPart } from '#lib/api/typed.ts';
import type { TokenRequest } from '#lib/api/types/authentication.v1.ts';
import { SERVICE_ACCOUNTS } from '#lib/api/types/resources.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import type { TokenSpec } from '#lib/node/volume/host.ts';
import type { IssuedToken } from './service-account-tokens.ts';

/** Requests a token that is bound to the pod. Throws StatusError. */
export async function requestToken(client: Clientset, spec: TokenSpec): Promise<IssuedToken> {
  const { namespace, serviceAccount, pod, audience, expirationSeconds, serviceAccountUid } = spec;
  const { name = '', uid = '' } = pod.metadata;
  const answer = await client.create(
    SERVICE_ACCOUNTS,
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {
        name: serviceAccount,
        namespace,
        ...(serviceAccountUid !== undefined && { uid: serviceAccountUid }),
      },
      spec: {
        audiences: audience === '' ? [] : [audience],
        ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
      },
    },
    'token',
  );
  return typedPart<TokenRequest>(answer);
}
