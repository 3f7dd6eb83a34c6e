import { credentialsOf, serverOf } from '#lib/helpers/clientcmd/credentials.ts';
import {
  decodeKubeconfig,
  type Kubeconfig,
  type KubeconfigFiles,
  selectContext,
} from '#lib/helpers/clientcmd/kubeconfig.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { Remote } from './api-connection.ts';
import { execToken } from './exec-token.ts';

/** An API server and the client's namespace. */
export interface RemoteNamespace {
  readonly remote: Remote;
  readonly namespace: string;
}

/**
 * Returns the API server of a kubeconfig's context, by default the current one. `files` is relative to the folder of the kubeconfig. Throws
 * TypeError.
 */
export const placeOf = (config: string, files: KubeconfigFiles, context?: string): RemoteNamespace =>
  placeIn(decodeKubeconfig(config, files), context);

/** Returns the API server of a decoded kubeconfig's context, by default the current one. Throws TypeError. */
export function placeIn(kubeconfig: Kubeconfig, context?: string): RemoteNamespace {
  const { cluster, user, namespace = 'default' } = selectContext(kubeconfig, context);
  const { url, authority } = serverOf(cluster);
  const { 'insecure-skip-tls-verify': insecure = false, 'tls-server-name': serverName } = cluster.cluster;
  const credentials = user === undefined ? undefined : loginOf(user);
  return { namespace, remote: { url, caBundle: authority, insecure, ...defined({ serverName, credentials }) } };
}

function loginOf(user: Kubeconfig['users'][number]): Remote['credentials'] {
  const credentials = credentialsOf(user);
  const { exec } = user.user;
  return exec === undefined ? credentials : { token: execToken(exec, () => Date.now()) };
}
