import { join } from 'node:path';
import { cached, firstMissing, run, type Fetched } from './cache.ts';

const PACKAGE = 'kubernetes==36.0.3';
const KOPF = 'kopf==1.45.2';

/** A Python that has the `kubernetes` package. */
export const installPython = (): Promise<Fetched> => installed([PACKAGE]);

/** A Python that has kopf besides. */
export const installKopf = (): Promise<Fetched> => installed([KOPF, PACKAGE]);

async function installed(packages: readonly string[]): Promise<Fetched> {
  const absent = await firstMissing([['python3', '--version']]);
  if (absent !== undefined) return { missing: absent };
  const environment = await cached(`python-${packages[0]?.replace('==', '-') ?? ''}`, async (folder) => {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...packages]);
  });
  return 'missing' in environment ? environment : { path: join(environment.path, 'bin/python') };
}
