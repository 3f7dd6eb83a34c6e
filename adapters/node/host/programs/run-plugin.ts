import { join } from 'node:path';
import type { RunPlugin } from '#lib/node/credentialprovider/plugin/exec-plugin.ts';
import { runProgram } from './run-program.ts';

/** Runs the plugins in a folder. Each gets the environment of this process and its own variables. */
export const hostPlugins =
  (folder: string): RunPlugin =>
  ({ name, ...rest }) =>
    runProgram({ ...rest, path: join(folder, name) });
