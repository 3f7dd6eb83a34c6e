import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskFiles } from '#adapters/server/files/disk-files.ts';
import { placeOf, type RemoteNamespace } from '#adapters/server/http/kubeconfig.ts';
import { fileFault } from '../start-fault.ts';

/** The API server that a context of a kubeconfig file names, the current one unless said. Throws StartFault. */
export async function placeAt(path: string, context?: string): Promise<RemoteNamespace> {
  try {
    return placeOf(await readFile(path, 'utf8'), diskFiles(dirname(path)), context);
  } catch (error) {
    throw fileFault(path, error);
  }
}
