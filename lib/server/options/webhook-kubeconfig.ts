import { credentialsOf, serverOf } from '#lib/helpers/clientcmd/credentials.ts';
import { decodeKubeconfig, type Kubeconfig, selectContext } from '#lib/helpers/clientcmd/kubeconfig.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { ClientConfig } from '#lib/server/webhook/client-config.ts';
import { type Files, readAs } from './files.ts';

/** Reads the kubeconfig of a webhook. Throws OptionError that names the file. */
export const webhookIn = (files: Files, path: string): ClientConfig =>
  readAs(files, path, (text) => webhookOf(text, files.beside(path)));

/**
 * Reads the server and credentials of a kubeconfig, from its current context, or otherwise its only ones. File names in it are relative to
 * its folder. Throws TypeError.
 */
export function webhookOf(text: string, files: Files): ClientConfig {
  const { cluster, user } = selected(decodeKubeconfig(text, files));
  if (cluster === undefined) throw new TypeError('it names no cluster');
  const { url, authority } = serverOf(cluster);
  if (user?.user.exec !== undefined)
    throw new TypeError(`the user ${user.name} logs in with exec, which a server does not run`);
  const credentials = user === undefined ? undefined : credentialsOf(user);
  return { url, caBundle: authority, ...defined({ credentials }) };
}

/** Without a current context, the first cluster and the first user are selected. */
function selected(config: Kubeconfig) {
  const { currentContext, contexts, clusters, users } = config;
  if (contexts.some(({ name }) => name === currentContext)) return selectContext(config);
  return { cluster: clusters[0], user: users[0] };
}
