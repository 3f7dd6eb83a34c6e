import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, download, type Fetched, pathOf, run } from './cache.ts';
import { installGo } from './go.ts';

export interface GoProgram {
  readonly name: string;
  /** The folder of the module, which has a go.mod and a go.sum. */
  readonly source: string;
  /** The program's package: a folder of the module with Go files, or a package of another module. Defaults to the module's own folder. */
  readonly main?: string;
  /** The file's name in the cache. Defaults to the program's name. */
  readonly file?: string;
  /** The module's go.mod, if it has several. `x.mod` has its checksums in `x.sum`. Defaults to go.mod. */
  readonly modfile?: string;
  /** Build tags. */
  readonly tags?: readonly string[];
}

/**
 * The environment and flags of every build. They are the same for all programs, so Go's cache compiles each package version only once.
 * Without cgo, a program runs in images that lack the libraries of this machine.
 */
export const GO_ENVIRONMENT = { CGO_ENABLED: '0' };
export const GO_FLAGS = ['-trimpath', '-ldflags=-s -w'];

/** Builds a Go program, once for each state of its source. */
export async function goProgram(program: GoProgram): Promise<Fetched> {
  const { name, source, main = '.', file = name, modfile = 'go.mod', tags = [] } = program;
  const own = main.startsWith('.') ? goFiles(join(source, main)).map((one) => join(main, one)) : [];
  const hash = createHash('sha256').update([...GO_FLAGS, ...tags].join(' '));
  for (const part of [modfile, modfile.replace(/mod$/, 'sum'), ...own]) hash.update(readFileSync(join(source, part)));
  const built = await cached(`go-${name}-${hash.digest('hex').slice(0, 12)}`, async (folder) => {
    const go = pathOf(await installGo());
    await download(go, ['mod', 'download', `-modfile=${modfile}`], source);
    const flags = [...GO_FLAGS, `-modfile=${modfile}`, '-tags', tags.join(',')];
    const env = { ...process.env, ...GO_ENVIRONMENT };
    await run(go, ['build', ...flags, '-o', join(folder, file), main], { cwd: source, env });
  });
  return 'missing' in built ? built : { path: join(built.path, file) };
}

const goFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.go'))
    .toSorted();
