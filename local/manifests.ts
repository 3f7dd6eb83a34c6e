import { readFile } from 'node:fs/promises';
import { type Document, parseAllDocuments, type YAMLParseError } from 'yaml';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { messageOf, StartFault } from './start-fault.ts';

/** The objects in a YAML or JSON file. Throws StartFault if it is neither, and the file system's error if it cannot be read. */
export async function readManifests(path: string | URL): Promise<KubernetesObject[]> {
  const documents = parseAllDocuments(await readFile(path, 'utf8'), { merge: false });
  return documents.flatMap((document): KubernetesObject[] => {
    const [fault] = document.errors;
    if (fault !== undefined) throw new StartFault(syntaxFault(String(path), fault));
    const value = valueOf(document, String(path));
    return isObject(value) ? [value] : [];
  });
}

/** Throws StartFault for an alias without an anchor, or for aliases that expand too much. */
function valueOf(document: Document.Parsed, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new StartFault(`${path} is no manifest: ${messageOf(error)}`);
  }
}

const isObject = (value: unknown): value is KubernetesObject =>
  typeof value === 'object' && value !== null && 'kind' in value && 'apiVersion' in value;

function syntaxFault(path: string, fault: YAMLParseError): string {
  const line = fault.linePos?.[0].line;
  const why = messageOf(fault).replace(/ at line \d+, column \d+:?$/, '');
  return `${path} is neither YAML nor JSON${line === undefined ? '' : `, by its line ${line}`}: ${why}`;
}
