import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { firstMissing, run } from './cache.ts';
import { pythonEnvironment } from './python-environment.ts';

const PACKAGES = [
  'openapi-generator-cli==7.26.0',
  'pydantic==2.13.4',
  'python-dateutil==2.9.0.post0',
  'urllib3==2.8.0',
  'typing-extensions==4.16.0',
] as const;

export interface OpenApiGenerator {
  /** A Python with the dependencies of generated clients. */
  readonly python: string;
  /** Writes the Python package `name` for an OpenAPI document into a folder. */
  generate(document: string, name: string, folder: string): Promise<void>;
}

/** OpenAPI Generator, which generates the official Kubernetes clients. */
export async function installOpenApiGenerator(): Promise<OpenApiGenerator | { readonly missing: string }> {
  const absent = await firstMissing([['java', '-version']]);
  if (absent !== undefined) return { missing: absent };
  const environment = await pythonEnvironment(...PACKAGES);
  if ('missing' in environment) return environment;
  const jar = join(packagesOf(environment.path), 'openapi_generator_cli/openapi-generator.jar');
  return {
    python: environment.path,
    async generate(document, name, folder) {
      const args = ['generate', '-g', 'python', '-i', document, '-o', folder, '--package-name', name];
      await run('java', ['-jar', jar, ...args]);
    },
  };
}

function packagesOf(program: string): string {
  const library = join(dirname(program), '../lib');
  const [version = ''] = readdirSync(library);
  return join(library, version, 'site-packages');
}
