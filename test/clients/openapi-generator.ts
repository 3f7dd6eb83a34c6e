import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cached, firstMissing, run } from './cache.ts';

const PACKAGES = [
  'openapi-generator-cli==7.26.0',
  'pydantic==2.13.4',
  'python-dateutil==2.9.0.post0',
  'urllib3==2.8.0',
  'typing-extensions==4.16.0',
];

export interface OpenApiGenerator {
  /** A Python that has what generated clients need. */
  readonly python: string;
  /** Writes the Python package `name` for an OpenAPI document into a folder. */
  generate(document: string, name: string, folder: string): Promise<void>;
}

/** OpenAPI Generator, of which the official Kubernetes clients are made. */
export async function installOpenApiGenerator(): Promise<OpenApiGenerator | { readonly missing: string }> {
  const absent = await firstMissing([
    ['python3', '--version'],
    ['java', '-version'],
  ]);
  if (absent !== undefined) return { missing: absent };
  const environment = await cached('openapi-generator-7.26.0', async (folder) => {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...PACKAGES]);
  });
  if ('missing' in environment) return environment;
  const jar = join(packagesOf(environment.path), 'openapi_generator_cli/openapi-generator.jar');
  return {
    python: join(environment.path, 'bin/python'),
    async generate(document, name, folder) {
      const args = ['generate', '-g', 'python', '-i', document, '-o', folder, '--package-name', name];
      await run('java', ['-jar', jar, ...args]);
    },
  };
}

function packagesOf(environment: string): string {
  const [python = ''] = readdirSync(join(environment, 'lib'));
  return join(environment, 'lib', python, 'site-packages');
}
