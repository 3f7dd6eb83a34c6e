import { createHash } from 'node:crypto';
import { cpSync, globSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { cached, download, type Fetched, firstMissing, run } from '#test/support/clients/cache.ts';
import { pythonEnvironment } from '#test/support/clients/python-environment.ts';
import { installDynamoDbLocal } from '#test/support/dynamodb-local/install.ts';

const HERE = import.meta.dirname;
const LOCK = join(HERE, 'requirements.lock');
const UV = 'uv==0.13.9';
/** The files of our package. */
const PACKAGE = ['pyproject.toml', 'localstack_host'];

export interface LocalStackFiles {
  readonly python: string;
  /** The folder of our package, for PYTHONPATH. */
  readonly host: string;
  /** The folder with the jars of DynamoDB Local. */
  readonly jars: string;
}

/**
 * The locked version of LocalStack, our package for it, and DynamoDB Local, each downloaded once. Returns the reason if they are not
 * available here.
 */
export async function installLocalStack(): Promise<LocalStackFiles | { missing: string }> {
  const database = await installDynamoDbLocal();
  if ('missing' in database) return database;
  const uv = await installUv();
  if ('missing' in uv) return uv;
  const server = await installServer(uv.path);
  if ('missing' in server) return server;
  const host = await installPackage(uv.path, server.path);
  return 'missing' in host ? host : { python: server.path, host: host.path, jars: database.jars };
}

async function installUv(): Promise<Fetched> {
  const environment = await pythonEnvironment(UV);
  return 'missing' in environment ? environment : { path: join(dirname(environment.path), 'uv') };
}

async function installServer(uv: string): Promise<Fetched> {
  const python = await python313();
  const environment = await cached(`localstack-${hashOf([LOCK])}`, async (folder) => {
    await run(uv, ['venv', '--quiet', '--python', python, '--allow-existing', folder]);
    await download(uv, ['pip', 'sync', '--quiet', '--python', join(folder, 'bin/python'), LOCK]);
  });
  return 'missing' in environment ? environment : { path: join(environment.path, 'bin/python') };
}

/** The Python on the PATH, one from pyenv, or a version that uv fetches. */
async function python313(): Promise<string> {
  const root = process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv');
  for (const candidate of ['python3.13', ...globSync(join(root, 'versions/3.13.*/bin/python3.13'))])
    if ((await firstMissing([[candidate, '--version']])) === undefined) return candidate;
  return '3.13';
}

/** Builds from a copy, because the build writes to its source folder. */
function installPackage(uv: string, python: string): Promise<Fetched> {
  const sources = globSync(join(HERE, '{pyproject.toml,localstack_host/*.py}')).sort();
  return cached(`localstack-host-${hashOf([...sources, LOCK])}`, async (folder) => {
    const copy = `${folder}-source`;
    for (const name of PACKAGE) cpSync(join(HERE, name), join(copy, name), { recursive: true });
    const options = ['--quiet', '--no-deps', '--no-build-isolation', '--python', python, '--target', folder];
    await run(uv, ['pip', 'install', ...options, copy]);
    await run('rm', ['-rf', copy]);
  });
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}
