import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from '../infra/bundle/bundle-options.ts';

/*
 * Builds the node agent as a single executable for the current system, `build/node-agent/davit-node-agent`: Node.js with the program
 * embedded. It contains no code cache, because the cache depends on the processor. The same sources therefore produce the same bytes.
 */
const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'build/node-agent');
const POSTJECT = 'postject@1.0.0-alpha.6';
/** Leaves memory for a host's other work: the heap grows slowly, and the young generation is small. */
const HEAP = ['--max-semi-space-size=1', '--heap-growing-percent=20', '--optimize-for-size'];
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

mkdirSync(FOLDER, { recursive: true });
const [script, settings, blob, program] = ['agent.cjs', 'sea.json', 'agent.blob', 'davit-node-agent'].map((name) =>
  join(FOLDER, name),
) as [string, string, string, string];

await build({
  ...BUNDLE_OPTIONS,
  absWorkingDir: ROOT,
  entryPoints: ['node-agent/main.ts'],
  outfile: script,
  format: 'cjs',
  splitting: false,
});
writeFileSync(
  settings,
  JSON.stringify({
    main: 'agent.cjs',
    output: 'agent.blob',
    disableExperimentalSEAWarning: true,
    useCodeCache: false,
    execArgv: HEAP,
  }),
);
run(process.execPath, '--experimental-sea-config', 'sea.json'); // a relative path, because the executable contains it
copyFileSync(process.execPath, program);
chmodSync(program, 0o755);
run('strip', program);
run(
  'npm',
  'exec',
  '--yes',
  `--package=${POSTJECT}`,
  '--',
  'postject',
  program,
  'NODE_SEA_BLOB',
  blob,
  '--sentinel-fuse',
  FUSE,
);

const megabytes = (statSync(program).size / 1e6).toFixed(1);
const digest = createHash('sha256').update(readFileSync(program)).digest('hex');
console.log(`${program}: ${megabytes} MB, sha256 ${digest}`);

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
}
