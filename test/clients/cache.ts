import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Where a fetched program is, or the reason why it cannot be had here. */
export type Fetched = { readonly path: string } | { readonly missing: string };

const CACHE = join(import.meta.dirname, '../../.cache');
const FETCH_TIMEOUT = 400_000;

const execute = promisify(execFile);

/** Runs a program to its end; rejects when it fails. */
export async function run(program: string, args: readonly string[], cwd?: string): Promise<string> {
  const options = { timeout: FETCH_TIMEOUT, maxBuffer: 64 * 1024 * 1024, ...(cwd === undefined ? {} : { cwd }) };
  return (await execute(program, [...args], options)).stdout;
}

/** The first of the programs that cannot be run here; `[name, argument that makes it answer]`. */
export async function firstMissing(programs: readonly (readonly [string, string])[]): Promise<string | undefined> {
  for (const [program, argument] of programs) {
    const answers = await run(program, [argument]).then(
      () => true,
      () => false,
    );
    if (!answers) return `${program} is not installed`;
  }
  return undefined;
}

/**
 * The folder `.cache/<name>`, filled once: in a folder of its own and then renamed, so that two test processes never see half of it.
 * The name holds the versions, so that another version is another folder.
 */
export async function cached(name: string, fill: (folder: string) => Promise<void>): Promise<Fetched> {
  const path = join(CACHE, name);
  if (existsSync(path)) return { path };
  const partial = `${path}.${process.pid}`;
  try {
    mkdirSync(partial, { recursive: true });
    await fill(partial);
    if (!existsSync(path)) renameSync(partial, path);
    return { path };
  } catch (error) {
    return existsSync(path) ? { path } : { missing: `${name} could not be fetched: ${firstLine(error)}` };
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function firstLine(error: unknown): string {
  return String(error).split('\n')[0] ?? '';
}
