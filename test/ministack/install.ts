import { join } from 'node:path';
import { cached, firstMissing, run, type Fetched } from '#test/clients/cache.ts';

const PACKAGE = 'ministack==1.5.33';

/** A Python that has ministack. */
export async function installMinistack(): Promise<Fetched> {
  const absent = await firstMissing([['python3', '--version']]);
  if (absent !== undefined) return { missing: absent };
  const environment = await cached(`python-${PACKAGE.replace('==', '-')}`, async (folder) => {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', PACKAGE]);
  });
  return 'missing' in environment ? environment : { path: join(environment.path, 'bin/python') };
}
