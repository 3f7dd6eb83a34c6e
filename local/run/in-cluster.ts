import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemoteNamespace } from '#adapters/server/http/kubeconfig.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { fileFault, StartFault } from '../start-fault.ts';

/** The directory of a pod's service account. */
const DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether this process runs in a pod. */
export const isInCluster = ({ KUBERNETES_SERVICE_HOST: host }: NodeJS.ProcessEnv): boolean =>
  host !== undefined && host !== '';

/** The API server of this pod's cluster. The token is rotated, so the file is read for every request. Throws StartFault outside a pod. */
export async function inCluster(env: NodeJS.ProcessEnv, directory = DIRECTORY): Promise<RemoteNamespace> {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = env;
  if (!isInCluster(env)) throw new StartFault('there is no KUBERNETES_SERVICE_HOST: this is no pod');
  const read = (name: string): Promise<string> => readFile(join(directory, name), 'utf8');
  try {
    const [caBundle, namespace] = await Promise.all([read('ca.crt'), read('namespace'), read('token')]);
    const token = async (): Promise<string> => (await read('token')).trim();
    const url = `https://${joinHostPort(host, port)}`;
    return { remote: { url, caBundle, credentials: { token } }, namespace: namespace.trim() };
  } catch (error) {
    throw fileFault(directory, error);
  }
}
