import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile, transformSync } from 'esbuild';
import type { Declaration } from '#lib/client/controller/declaration.ts';
import { FUNCTION_MODULES, moduleOf } from '#lib/machinery/package-name.ts';
import type { AggregatedApiDeclaration } from '#lib/sdk/extension-apiserver/declaration.ts';
import type { WebhookDeclaration } from '#lib/sdk/webhook-sdk/declaration.ts';
import { BUNDLE_OPTIONS, CHUNK_OPTIONS } from './bundle-options.ts';
import { withoutLocations } from './locations.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The extension of this package's own files, which differs between source and build. */
const EXTENSION = extname(import.meta.filename);
const HERE = import.meta.dirname;

/** The entry of each deployed function, by the name of its bundle: `dist/NAME`. */
const ENTRIES: Readonly<Record<string, string>> = {
  'apiserver-function-url': `functions/apiserver/handler${EXTENSION}`,
  'apiserver-rest': `functions/apiserver/rest-handler${EXTENSION}`,
  'apiserver-server': `functions/apiserver/server${EXTENSION}`,
  channel: `functions/channel/handler${EXTENSION}`,
  'metrics-server': `functions/metrics-server/handler${EXTENSION}`,
  stream: `functions/stream/handler${EXTENSION}`,
  reconcilers: `functions/reconcilers/handler${EXTENSION}`,
  scheduler: `functions/scheduler/handler${EXTENSION}`,
};

/** Names of the bundles that can be built. */
export const bundleNames = (): readonly string[] => Object.keys(ENTRIES);

/**
 * Writes a folder whose `index.js` exports the function as `handler`. The other files are read on demand. A `package.json` makes node treat
 * them as CommonJS anywhere. Other files in the folder are removed. The same sources produce the same bytes and modes for every user and
 * location. V8's code cache is not included: V8 accepts only a cache of the same version on the same kind of processor, and functions run
 * on the platform's Node.js.
 */
export function bundle(name: string, folder = join(ROOT, 'dist', name)): Metafile {
  const entry = ENTRIES[name];
  if (entry === undefined) throw new TypeError(`there is no bundle ${JSON.stringify(name)}`);
  return write(folder, { entryPoints: { index: join(ROOT, entry) } });
}

/** The functions that a user's file declares. */
export interface Declarations {
  readonly reconcilers: readonly Declaration[];
  readonly webhooks: readonly WebhookDeclaration[];
  readonly apis: readonly AggregatedApiDeclaration[];
}

/**
 * Bundles a user's file in the same way. The function is the reconciler, webhook or aggregated API that DAVIT_FUNCTION names. Throws if the
 * file cannot be loaded.
 */
export function bundleUsers(file: string, folder: string): Declarations {
  const contents = `import { usersFunction } from '${HERE}/users-function${EXTENSION}';
    export const { declarations, handler, reconciling, streaming } = usersFunction(() => import(${JSON.stringify(file)}), __filename);`;
  const own = FUNCTION_MODULES.map((name) => [moduleOf(name), join(ROOT, `exports/${name}${EXTENSION}`)]);
  write(folder, { stdin: { contents, resolveDir: ROOT }, alias: Object.fromEntries(own) });
  // Node.js prints the line of an error, which in a bundle is the whole file.
  const print = `const fail = (error) => { console.error(error); process.exit(1); };
    const tell = (all) => process.stdout.write(JSON.stringify(all), () => process.exit(0));
    try { require(process.argv[1]).declarations().then(tell, fail); } catch (error) { fail(error); }`;
  const env = { PATH: process.env['PATH'] };
  const printed = execFileSync(process.execPath, ['-e', print, folder], { encoding: 'utf8', stdio: 'pipe', env });
  return JSON.parse(printed) as Declarations;
}

type SyncOptions = Pick<BuildOptions, 'entryPoints' | 'stdin' | 'alias'>;

function write(folder: string, options: SyncOptions): Metafile {
  const how = { ...BUNDLE_OPTIONS, entryNames: 'index', absWorkingDir: ROOT, outdir: folder } as const;
  const { metafile, outputFiles } = buildSync({ ...how, ...options, metafile: true, write: false });
  const modules = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const files = withoutLocations(modules, Object.keys(metafile.inputs));
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!files.has(name) && name !== 'package.json') rmSync(join(folder, name));
  for (const [name, text] of files) writeForAll(join(folder, name), transformSync(text, CHUNK_OPTIONS).code);
  writeForAll(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  return metafile;
}

/**
 * Writes a file that every user can read, whatever the umask, because functions run as a different user than the uploader. A file that
 * already has this text is not rewritten, because another process may be reading it.
 */
export function writeForAll(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  chmodSync(file, 0o644);
}

if (import.meta.main) {
  const names = process.argv.slice(2);
  for (const name of names.length > 0 ? names : bundleNames()) {
    const sizes = Object.values(bundle(name).outputs).map(({ bytes }) => bytes);
    console.log(`dist/${name} ${Math.round(sizes.reduce((sum, one) => sum + one) / 1024)} KiB`);
  }
}
