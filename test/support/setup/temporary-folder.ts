import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Deletes the temporary files of tests, and of the programs that they start, at the end of the run. Meanwhile, Node.js programs that start
 * from the sources share their compiled modules there, or in NODE_COMPILE_CACHE if it is set.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'davit-tests-'));
  const { JAVA_TOOL_OPTIONS: java = '' } = process.env;
  process.env['TMPDIR'] = folder;
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');
  process.env['JAVA_TOOL_OPTIONS'] = `${java} -Djava.io.tmpdir=${folder} -XX:-UsePerfData`.trim();
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove); // for an interrupted run
  return remove;
}
