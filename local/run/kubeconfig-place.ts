import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskFiles } from '#adapters/server/files/disk-files.ts';
import { placeIn, type RemoteNamespace } from '#adapters/server/http/kubeconfig.ts';
import { decodeKubeconfig, type Kubeconfig, mergeKubeconfigs } from '#lib/helpers/clientcmd/kubeconfig.ts';
import { ifCode } from '../if-code.ts';
import { fileFault } from '../start-fault.ts';

/** The API server of a context in a kubeconfig file, by default the current context. Throws StartFault. */
export async function placeAt(path: string, context?: string): Promise<RemoteNamespace> {
  try {
    return placeIn(decodeKubeconfig(await readFile(path, 'utf8'), diskFiles(dirname(path))), context);
  } catch (error) {
    throw fileFault(path, error);
  }
}

/** The same for the merged files of $KUBECONFIG. Like kubectl, it skips files that do not exist. Throws StartFault. */
export async function placeAmong(paths: readonly string[], context?: string): Promise<RemoteNamespace> {
  const read = await Promise.all(paths.map(kubeconfigAt));
  const configs = read.filter((config) => config !== undefined);
  const all = paths.join(', ');
  if (configs.length === 0) throw fileFault(all, Object.assign(new Error('missing'), { code: 'ENOENT' }));
  try {
    return placeIn(mergeKubeconfigs(configs), context);
  } catch (error) {
    throw fileFault(all, error);
  }
}

async function kubeconfigAt(path: string): Promise<Kubeconfig | undefined> {
  try {
    const text = await readFile(path, 'utf8').catch(ifCode('ENOENT'));
    return text === undefined ? undefined : decodeKubeconfig(text, diskFiles(dirname(path)));
  } catch (error) {
    throw fileFault(path, error);
  }
}
