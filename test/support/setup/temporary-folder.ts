import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Deletes the temporary files of tests, and of the programs that they start, at the end of the run. Programs of Node.js that start
 * from the sources share their compiled modules meanwhile, or those of NODE_COMPILE_CACHE.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'davit-tests-'));
  const { JAVA_TOOL_OPTIONS: java = '' } = process.env;
  process.env['TMPDIR'] = folder;
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');
  process.env['JAVA_TOOL_OPTIONS'] = `${java} -Djava.io.tmpdir=${folder} -XX:-UsePerfData`.trim();
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove); // of a run that is interrupted
  return remove;
}
