import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { faultPlace } from '#adapters/server/function-thread/fault-place.ts';
import { type ExportedFunctions, exportedFunctions } from '#lib/sdk/webhook-sdk/exported-functions.ts';
import { fileFault, messageOf, StartFault } from '../start-fault.ts';
import { isSource, snapshot } from './folder.ts';
import { useOwnModules } from './own-modules.ts';

/** Loads one file, or the top-level files of a folder, into this process. Throws StartFault if one cannot be loaded. */
export async function loadFunctions(path: string): Promise<ExportedFunctions> {
  useOwnModules();
  const files = await filesOf(resolve(path)).catch((error: unknown) => {
    throw fileFault(path, error);
  });
  const load = (file: string): Promise<object> =>
    import(pathToFileURL(file).href).catch((error: unknown) => {
      throw new StartFault(
        `cannot load ${file}: ${error instanceof Error ? faultPlace(error) : ''}${messageOf(error)}`,
      );
    });
  return exportedFunctions(...(await Promise.all(files.map(load))));
}

async function filesOf(path: string): Promise<readonly string[]> {
  if ((await stat(path)).isDirectory()) return [...(await snapshot(path)).files.keys()];
  if (!isSource(path)) throw new StartFault(`${path} is no file of TypeScript or JavaScript`);
  return [path];
}
