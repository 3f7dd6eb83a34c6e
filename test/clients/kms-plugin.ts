import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, download, pathOf, run, type Fetched } from './cache.ts';
import { installGo } from './go.ts';

const SOURCE = join(import.meta.dirname, 'kms-plugin');

/** A KMS plugin on upstream's library, built once for each state of its source. */
export async function buildKmsPlugin(): Promise<Fetched> {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', 'main.go']) hash.update(readFileSync(join(SOURCE, file)));
  const built = await cached(`go-kms-plugin-${hash.digest('hex').slice(0, 12)}`, async (folder) => {
    const go = pathOf(await installGo());
    await download(go, ['mod', 'download'], SOURCE);
    await run(go, ['build', '-trimpath', '-o', join(folder, 'plugin'), '.'], { cwd: SOURCE });
  });
  return 'missing' in built ? built : { path: join(built.path, 'plugin') };
}
