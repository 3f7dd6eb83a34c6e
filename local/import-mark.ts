import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifCode } from './if-code.ts';
import { StartFault } from './start-fault.ts';

/** This file exists from the start of an import until its end. */
const MARK = 'import';

/** Runs an import into a data directory, which stays marked until the import has succeeded. */
export async function underImport<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const mark = join(directory, MARK);
  await writeFile(mark, '', { mode: 0o600, flush: true });
  const result = await work();
  await rm(mark);
  return result;
}

/** Throws StartFault if an import did not finish, because controllers would delete objects whose owners seem to be missing. */
export async function refuseHalfImport(directory: string): Promise<void> {
  if ((await stat(join(directory, MARK)).catch(ifCode('ENOENT'))) === undefined) return;
  throw new StartFault(
    `an import into ${directory} was cut short; run davit import FILE --data-dir ${directory} again, or remove the folder to begin anew`,
  );
}
