import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, firstMissing, run, type Fetched } from './cache.ts';

const GO = join(import.meta.dirname, 'go-operator');
const PACKAGES = ['fastapi==0.165.0', 'uvicorn'];

/** The webhook on controller-runtime, built once for each state of its source. */
export async function buildGoWebhook(): Promise<Fetched> {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', 'webhook/main.go']) hash.update(readFileSync(join(GO, file)));
  const built = await cached(`go-webhook-${hash.digest('hex').slice(0, 12)}`, async (folder) => {
    const absent = await firstMissing([['go', 'version']]);
    if (absent !== undefined) throw new Error(absent);
    await run('go', ['build', '-trimpath', '-o', join(folder, 'webhook'), './webhook'], GO);
  });
  return 'missing' in built ? built : { path: join(built.path, 'webhook') };
}

/** A Python that has FastAPI. */
export async function installFastApi(): Promise<Fetched> {
  const absent = await firstMissing([['python3', '--version']]);
  if (absent !== undefined) return { missing: absent };
  const environment = await cached(`python-${PACKAGES[0]?.replace('==', '-') ?? ''}`, async (folder) => {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...PACKAGES]);
  });
  return 'missing' in environment ? environment : { path: join(environment.path, 'bin/python') };
}
