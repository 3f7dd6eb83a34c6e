import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { ContextError } from '../context.ts';
import { bundle } from '../../scripts/bundle.ts';

const DIST = join(import.meta.dirname, '../../dist');

/** What stands for every function where a template alone is asked for (`bundle=false`). */
const STUB = 'exports.handler = async () => ({ statusCode: 503 });\n';

/** The folder that holds a function's bundle, built now. */
export function codeFolder(name: string, context: Pick<Context, 'bundle' | 'bootstrap'>): string {
  const folder = join(DIST, context.bundle ? name : 'stub');
  if (context.bundle) bundle(name, folder);
  else writeStub(folder);
  if (context.bootstrap !== undefined) addBootstrap(context.bootstrap, folder);
  return folder;
}

function writeStub(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), STUB);
}

/** A runtime that is not of the platform starts with this file. */
function addBootstrap(from: string, folder: string): void {
  if (!existsSync(from))
    throw new ContextError(`context bootstrap is the path of an executable file; there is no ${from}`);
  const file = join(folder, 'bootstrap');
  copyFileSync(from, file);
  chmodSync(file, 0o755);
}
