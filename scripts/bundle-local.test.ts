import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEMPLATES } from '#local/commands/templates.ts';
import { RunningProgram } from '#test/clients/e2e/program.ts';

const ROOT = join(import.meta.dirname, '..');
const BUNDLE = join(ROOT, 'build/main.js');
const bundle = (): void => void execFileSync(process.execPath, ['scripts/bundle-local.ts'], { cwd: ROOT });

describe('the local server as one file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-bundle-'));
  const file = join(folder, 'reports.ts');
  beforeAll(() => {
    bundle();
    writeFileSync(file, TEMPLATES.reconciler('reports', {})['reports.ts'] ?? '');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is built again only after a change of one of its files', () => {
    const made = (): number => statSync(BUNDLE).mtimeMs;
    const before = made();
    bundle();
    expect(made()).toBe(before);
    const { atime, mtime } = statSync(join(ROOT, 'local/serve.ts'));
    utimesSync(join(ROOT, 'local/serve.ts'), atime, new Date());
    bundle();
    utimesSync(join(ROOT, 'local/serve.ts'), atime, mtime);
    expect(made()).toBeGreaterThan(before);
  });

  test('serves, and runs the functions of a folder', async () => {
    const args = [BUNDLE, '--in-memory', '--port', '0', '--functions', folder];
    await using program = new RunningProgram(process.execPath, args, { cwd: folder });
    await program.says(/is ready on/);
    expect(program.stderr).toContain('reports.ts is loaded');
    expect(await program.ended('SIGTERM')).toMatchObject({ code: 0 });
  });

  test('does not contain the modules that load users’ modules', () => {
    const manifests = execFileSync(process.execPath, [BUNDLE, 'manifests', file], { encoding: 'utf8' });
    expect(manifests).toContain('kind: ClusterRoleBinding');
  });
});
