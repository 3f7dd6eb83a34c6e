import { appendFileSync, cpSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { ApiConnection } from './api-connection.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PATH = '/api/v1/namespaces/default/configmaps';

/** A writable copy of the server's sources. */
function copyOfSource(): string {
  const folder = mkdtempSync(join(tmpdir(), 'davit-dev-'));
  const filter = (path: string): boolean => !/\.(test|conformance)\.ts$/.test(path);
  for (const name of ['lib', 'adapters', 'functions', 'local', 'exports', 'scripts', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

test('npm run dev restarts the server with its data when a source file is saved', async () => {
  const cwd = copyOfSource();
  const { scripts } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as { scripts: { dev: string } };
  const env = { PATH: `${join(cwd, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` };
  const program = new RunningProgram('sh', ['-c', `exec ${scripts.dev} --port 0`], { cwd, env });
  const connected = () => new ApiConnection(readFileSync(join(cwd, '.davit/kubeconfig'), 'utf8'));
  try {
    await program.says(/is ready on /);
    using before = connected();
    await before.json('POST', PATH, { metadata: { name: 'kept' } });
    appendFileSync(join(cwd, 'lib/server/endpoints/version.ts'), "\nconsole.log('saved');\n");
    await program.says(/is ready on [^]*\nsaved\n[^]*is ready on /);
    using after = connected();
    expect(await after.json('GET', `${PATH}/kept`)).toMatchObject({ metadata: { name: 'kept' } });
  } finally {
    await program.ended('SIGTERM');
  }
});
