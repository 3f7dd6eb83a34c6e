import { join } from 'node:path';
import { cached, firstMissing, run, type Fetched } from './cache.ts';

const PACKAGE = 'kubernetes==36.0.3';

/** A Python that has the `kubernetes` package. */
export async function installPython(): Promise<Fetched> {
  const absent = await firstMissing([['python3', '--version']]);
  if (absent !== undefined) return { missing: absent };
  const environment = await cached(`python-${PACKAGE.replace('==', '-')}`, async (folder) => {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', PACKAGE]);
  });
  return 'missing' in environment ? environment : { path: join(environment.path, 'bin/python') };
}
