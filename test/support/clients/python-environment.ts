import { join } from 'node:path';
import { cached, download, type Fetched, firstMissing, run } from './cache.ts';

/** The `python` of a virtual environment with the packages. It is created once, and named after the first package. */
export async function pythonEnvironment(...packages: readonly [string, ...string[]]): Promise<Fetched> {
  const absent = await firstMissing([['python3', '--version']]);
  if (absent !== undefined) return { missing: absent };
  const environment = await cached(`python-${packages[0].replace('==', '-')}`, async (folder) => {
    await run('python3', ['-m', 'venv', folder]);
    await download(join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...packages]);
  });
  return 'missing' in environment ? environment : { path: join(environment.path, 'bin/python') };
}
