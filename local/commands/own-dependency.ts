import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { PACKAGE_NAME } from '#lib/machinery/package-name.ts';
import { DAVIT_VERSION } from '#lib/server/endpoints/version.ts';
import { fileFault } from '../start-fault.ts';

/**
 * The version of this package for the package.json of a new folder. It comes from the nearest package.json in a parent folder, with a path
 * made relative to the new folder. Otherwise it is the running version. Throws StartFault if a package.json is not JSON.
 */
export async function ownDependency(folder: string): Promise<string> {
  const known = await nearest(dirname(resolve(folder)));
  if (known === undefined) return DAVIT_VERSION;
  if (!known.version.startsWith(FILE)) return known.version;
  return `${FILE}${relative(resolve(folder), join(known.directory, known.version.slice(FILE.length)))}`;
}

const FILE = 'file:';

async function nearest(directory: string): Promise<{ version: string; directory: string } | undefined> {
  const version = await dependencyIn(join(directory, 'package.json'));
  if (version !== undefined) return { version, directory };
  return dirname(directory) === directory ? undefined : nearest(dirname(directory));
}

async function dependencyIn(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  try {
    const { value } = decodeJson(bytes);
    if (!isObject(value)) return undefined;
    const lists = ['dependencies', 'devDependencies'].map((field) => objectAt(value, field));
    return lists.map((list) => stringAt(list, PACKAGE_NAME)).find((version) => version !== undefined);
  } catch (error) {
    throw fileFault(path, error);
  }
}
