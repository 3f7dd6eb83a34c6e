// Runs on any Node (>= 20), before dependencies exist: installs them when node_modules is missing or older than the lockfile.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const installed = 'node_modules/.package-lock.json';
const fresh = existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs;
if (!fresh) {
  console.error('installing dependencies …');
  // Not `npm ci`: it refuses a lockfile without the optional packages of every other platform. Not by the `engines` of the package:
  // the dependency `node` is what scripts run on.
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--no-engine-strict'];
  const { status } = spawnSync('npm', ['install', ...flags], { stdio: ['ignore', 2, 2] });
  process.exit(status ?? 1);
}
