import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';

/** The documents of a configuration file and of the `.conf` files in a folder, by file name. Throws an Error that names the file. */
export async function configurationFiles(file?: string, folder?: string): Promise<JsonObject[]> {
  const names = folder === undefined ? [] : (await readdir(folder)).filter((name) => name.endsWith('.conf'));
  const paths = names.toSorted().map((name) => join(folder ?? '', name));
  return Promise.all([...(file === undefined ? [] : [file]), ...paths].map(documentAt));
}

async function documentAt(path: string): Promise<JsonObject> {
  const bytes = await readFile(path);
  try {
    const { value } = decodeYaml(bytes);
    if (!isObject(value)) throw new TypeError('it is no object');
    return value;
  } catch (error) {
    throw new Error(`${path}: ${messageOfError(error)}`, { cause: error });
  }
}
