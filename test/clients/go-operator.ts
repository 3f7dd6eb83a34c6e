import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, download, pathOf, run, type Fetched } from './cache.ts';
import { installGo } from './go.ts';

const SOURCE = join(import.meta.dirname, 'go-operator');

/** The operator of `go-operator/`, built once for each state of its source. */
export const buildGoOperator = (): Promise<Fetched> => buildGo('operator', '.');

/** The informer of `go-operator/informer/`. */
export const buildGoInformer = (): Promise<Fetched> => buildGo('informer', './informer');

/** The webhook on controller-runtime. */
export const buildGoWebhook = (): Promise<Fetched> => buildGo('webhook', './webhook');

async function buildGo(name: string, main: string): Promise<Fetched> {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', join(main, 'main.go')]) hash.update(readFileSync(join(SOURCE, file)));
  const built = await cached(`go-${name}-${hash.digest('hex').slice(0, 12)}`, async (folder) => {
    const go = pathOf(await installGo());
    await download(go, ['mod', 'download'], SOURCE);
    await run(go, ['build', '-trimpath', '-o', join(folder, name), main], { cwd: SOURCE });
  });
  return 'missing' in built ? built : { path: join(built.path, name) };
}
