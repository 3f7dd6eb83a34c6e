import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, download, pathOf, run, type Fetched } from './cache.ts';
import { installGo } from './go.ts';

export interface GoProgram {
  readonly name: string;
  /** The folder of the module, which has a go.mod and a go.sum. */
  readonly source: string;
  /** The program's package: a folder of the module that holds a main.go, or a package of another module. Default the module's own folder. */
  readonly main?: string;
  /** The file's name in the cache. Default the program's name. */
  readonly file?: string;
}

/** Builds a program of Go, once for each state of its source. */
export async function goProgram({ name, source, main = '.', file = name }: GoProgram): Promise<Fetched> {
  const own = main.startsWith('.') ? [join(main, 'main.go')] : [];
  const hash = createHash('sha256');
  for (const part of ['go.mod', 'go.sum', ...own]) hash.update(readFileSync(join(source, part)));
  const built = await cached(`go-${name}-${hash.digest('hex').slice(0, 12)}`, async (folder) => {
    const go = pathOf(await installGo());
    await download(go, ['mod', 'download'], source);
    await run(go, ['build', '-trimpath', '-o', join(folder, file), main], { cwd: source });
  });
  return 'missing' in built ? built : { path: join(built.path, file) };
}
