// Runs on any Node (>= 20) before dependencies exist. It installs them if node_modules is missing or older than the lockfile.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';

const installed = 'node_modules/.package-lock.json';
const isFresh = existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs;
if (!isFresh) {
  const folders = packageFolders();
  const began = performance.now();
  console.error(`installing ${folders.length} packages; the first time takes a minute or two`);
  const progress = setInterval(() => {
    const done = folders.filter((folder) => existsSync(`${folder}/package.json`)).length;
    const seconds = Math.round((performance.now() - began) / 1_000);
    console.error(`  ${done} of ${folders.length} packages, ${seconds} s`);
  }, 5_000);
  // `engines` applies to the Node that runs scripts (the dependency `node`), not to the Node that runs this installation.
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--no-engine-strict'];
  const npm = spawn('npm', ['ci', ...flags], { stdio: ['ignore', 2, 2] });
  npm.on('exit', (code) => {
    clearInterval(progress);
    process.exitCode = code ?? 1;
  });
}

/** The folders of the packages in the lockfile that every platform installs. */
function packageFolders() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return Object.keys(packages).filter((folder) => folder !== '' && packages[folder].optional !== true);
}
