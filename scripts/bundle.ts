import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { BUNDLE_OPTIONS } from './bundle-options.ts';

const ROOT = join(import.meta.dirname, '..');

/** What is deployed, by the name of its bundle: `dist/NAME/index.js`. A file that is not written yet is left out. */
const ENTRIES: Readonly<Record<string, string>> = {
  'apiserver-function-url': 'functions/apiserver/handler.ts',
  'apiserver-rest': 'functions/apiserver/rest-handler.ts',
  'apiserver-server': 'functions/apiserver/server.ts',
  stream: 'functions/stream/handler.ts',
  reconcilers: 'functions/reconcilers/handler.ts',
};

/** Names of the bundles that can be built. */
export const bundleNames = (): readonly string[] =>
  Object.entries(ENTRIES).flatMap(([name, entry]) => (existsSync(join(ROOT, entry)) ? [name] : []));

/** Writes `FOLDER/index.js`, whose `handler` is the function, and beside it what makes node take it for CommonJS wherever it lies. */
export function bundle(name: string, folder = join(ROOT, 'dist', name)): Metafile {
  const entry = ENTRIES[name];
  if (entry === undefined) throw new TypeError(`there is no bundle ${JSON.stringify(name)}`);
  const outfile = join(folder, 'index.js');
  const entryPoints = [join(ROOT, entry)];
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  return buildSync({ ...BUNDLE_OPTIONS, absWorkingDir: ROOT, entryPoints, outfile, metafile: true }).metafile;
}

if (import.meta.main) {
  const asked = process.argv.slice(2);
  for (const name of asked.length > 0 ? asked : bundleNames()) {
    const [output] = Object.values(bundle(name).outputs);
    console.log(`dist/${name}/index.js ${Math.round((output?.bytes ?? 0) / 1024)} KiB`);
  }
}
