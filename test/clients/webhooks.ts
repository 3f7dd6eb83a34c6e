import { join } from 'node:path';
import { cached, firstMissing, run, type Fetched } from './cache.ts';

const PACKAGES = ['fastapi==0.165.0', 'uvicorn'];

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
