import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

const ROOT = join(import.meta.dirname, '../../..');

/** Makes what `npm start` runs, for tests that start it; again where something was changed meanwhile. */
export function setup(project: TestProject): void {
  const bundle = () =>
    void execFileSync(process.execPath, ['scripts/bundle-local.ts'], { cwd: ROOT, stdio: 'inherit' });
  bundle();
  project.onTestsRerun(bundle);
}
