import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cached, download, type Fetched, pathOf, run } from './cache.ts';
import { installGo } from './go.ts';
import { GO_ENVIRONMENT, GO_FLAGS } from './go-program.ts';

const SOURCE = join(import.meta.dirname, 'pod-security-fixtures');
const FILES = ['go.mod', 'go.sum', 'main.go'];
const MODULE = 'k8s.io/pod-security-admission';

/** Upstream's Pod Security fixtures with upstream's verdicts, one JSON object per line. `pod-security-fixtures/` prints them. */
export async function podSecurityFixtures(): Promise<Fetched> {
  const hash = createHash('sha256');
  for (const file of FILES) hash.update(readFileSync(join(SOURCE, file)));
  const printed = await cached(`pod-security-fixtures-${hash.digest('hex').slice(0, 12)}`, async (folder) => {
    const go = pathOf(await installGo());
    await download(go, ['mod', 'download'], SOURCE);
    const module = (await run(go, ['list', '-m', '-f', '{{.Dir}}', MODULE], { cwd: SOURCE })).trim();
    const env = { ...process.env, ...GO_ENVIRONMENT };
    const lines = await run(go, ['run', ...GO_FLAGS, '.', join(module, 'test', 'testdata')], { cwd: SOURCE, env });
    await writeFile(join(folder, 'fixtures.jsonl'), lines);
  });
  return 'missing' in printed ? printed : { path: join(printed.path, 'fixtures.jsonl') };
}
