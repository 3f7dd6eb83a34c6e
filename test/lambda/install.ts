import { join } from 'node:path';
import { cached, download, type Fetched, firstMissing, run } from '#test/clients/cache.ts';

const VERSION = '4.0.2';

/** The program by which Lambda's runtime runs a handler, compiled once; or the reason why it cannot be had here. */
export async function installRuntimeClient(): Promise<Fetched> {
  const absent = await firstMissing([
    ['cmake', '--version'],
    ['make', '--version'],
    ['g++', '--version'],
  ]);
  if (absent !== undefined) return { missing: `aws-lambda-ric is compiled where it is installed, and ${absent}` };
  const installed = await cached(`aws-lambda-ric-${VERSION}`, async (folder) => {
    const quiet = ['--no-audit', '--no-fund', '--prefix', folder];
    await download('npm', ['install', '--no-save', '--ignore-scripts', ...quiet, `aws-lambda-ric@${VERSION}`]);
    await run('npm', ['rebuild', '--foreground-scripts', ...quiet]);
  });
  return 'missing' in installed ? installed : { path: join(installed.path, 'node_modules/aws-lambda-ric/index.mjs') };
}
