import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '#lib/client/typed-client.ts';

/** The objects in a file of YAML or JSON. Throws where it cannot be read. */
export async function readManifests(path: string | URL): Promise<KubernetesObject[]> {
  const documents = parseAllDocuments(await readFile(path, 'utf8'), { merge: false });
  return documents.flatMap((document): KubernetesObject[] => {
    const [fault] = document.errors;
    if (fault !== undefined) throw new TypeError(`${String(path)}: ${fault.message}`);
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return isObject(value) ? [value] : [];
  });
}

const isObject = (value: unknown): value is KubernetesObject =>
  typeof value === 'object' && value !== null && 'kind' in value && 'apiVersion' in value;
