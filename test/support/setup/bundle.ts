import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

const ROOT = join(import.meta.dirname, '../../..');

/** Builds the program of `npm start` for tests that start it. Rebuilds it if a source has changed. */
export function setup(project: TestProject): void {
  const bundle = () =>
    void execFileSync(process.execPath, ['scripts/bundle-local.ts'], { cwd: ROOT, stdio: 'inherit' });
  bundle();
  project.onTestsRerun(bundle);
}
