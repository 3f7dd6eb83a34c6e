import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { BUNDLE_OPTIONS } from '../infra/bundle/bundle-options.ts';

/*
 * Bundles the local server for `npm start` into one file, again only if one of its files has changed. The bundle starts in half
 * the time that its 1,700 modules take, and needs less memory. Modules that load a user's own stay outside (`#local/run/…`,
 * worker threads), so that they and this program share one copy of `davit/controller`.
 */
const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'build');
/** All that is within: paths from the root, and when each was changed. */
const INPUTS = join(FOLDER, 'inputs.json');
/** Milliseconds that parts of an earlier bundle stay: a server that runs of it may not have needed them yet. */
const KEPT = 24 * 60 * 60 * 1000;

const OPTIONS = {
  ...BUNDLE_OPTIONS,
  absWorkingDir: ROOT,
  entryPoints: ['local/main.ts'],
  outdir: FOLDER,
  chunkNames: '[name]-[hash]',
  minifyWhitespace: false,
  minifySyntax: false,
  external: ['#local/run/*'],
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  metafile: true,
  write: false,
} as const satisfies BuildOptions;

if (!isFresh()) await build();

function isFresh(): boolean {
  if (!existsSync(INPUTS)) return false;
  const inputs = JSON.parse(readFileSync(INPUTS, 'utf8')) as Record<string, number>;
  return Object.entries(inputs).every(([path, changed]) => changedAt(path) === changed);
}

function changedAt(path: string): number | undefined {
  return statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs;
}

async function build(): Promise<void> {
  const { build: bundle } = await import('esbuild'); // a start that needs none does not wait for it
  const began = Date.now();
  const made = await bundle(OPTIONS).catch(() => process.exit(1)); // esbuild has said what is wrong, and where
  mkdirSync(FOLDER, { recursive: true });
  const isEntry = (path: string): boolean => path === join(FOLDER, 'main.js');
  // The entry last: by then there is all that it names.
  for (const last of [false, true])
    for (const { path, contents } of made.outputFiles) if (isEntry(path) === last) replace(path, contents);
  const own = Object.keys(made.metafile.inputs).filter((path) => !path.startsWith('node_modules/'));
  const inputs = [...own, 'package-lock.json', 'scripts/bundle-local.ts', 'infra/bundle/bundle-options.ts'];
  // A file that was saved meanwhile may be in the bundle or not: it counts as changed.
  const times = inputs.map((path) => [path, Math.min(changedAt(path) ?? 0, began)] as const);
  replace(INPUTS, JSON.stringify(Object.fromEntries(times)));
  for (const name of readdirSync(FOLDER)) {
    const path = join(FOLDER, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT) rmSync(path);
  }
}

/** Another process that starts meanwhile reads the old file or the new one, never a part. */
function replace(path: string, contents: string | Uint8Array): void {
  const part = `${path}.${process.pid}`;
  writeFileSync(part, contents);
  renameSync(part, path);
}
