import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { buildSync, transformSync, type BuildOptions, type Metafile } from 'esbuild';
import type { Declaration } from '#lib/controller/declaration.ts';
import type { WebhookDeclaration } from '#lib/webhook-sdk/declaration.ts';
import { BUNDLE_OPTIONS, CHUNK_OPTIONS } from './bundle-options.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Of this program's own files: as they are written, or as they were built. */
const EXTENSION = extname(import.meta.filename);
const HERE = import.meta.dirname;

/** The entry of each deployed function, by the name of its bundle: `dist/NAME`. */
const ENTRIES: Readonly<Record<string, string>> = {
  'apiserver-function-url': `functions/apiserver/handler${EXTENSION}`,
  'apiserver-rest': `functions/apiserver/rest-handler${EXTENSION}`,
  'apiserver-server': `functions/apiserver/server${EXTENSION}`,
  stream: `functions/stream/handler${EXTENSION}`,
  reconcilers: `functions/reconcilers/handler${EXTENSION}`,
  scheduler: `functions/scheduler/handler${EXTENSION}`,
};

/** Names of the bundles that can be built. */
export const bundleNames = (): readonly string[] => Object.keys(ENTRIES);

/** Those that start with each environment, so that each compiles them: all but the program that listens. */
const isFunction = (name: string): boolean => name !== 'apiserver-server';

/** Requests to the bundles that answer requests, while their code is compiled: an unknown caller gets an answer, and a refusal. */
const REQUESTS = ['200', '/version', '403', '/api/v1/namespaces/default/configmaps/any'];
const answersRequests = (name: string): boolean => name.startsWith('apiserver-');

/** With which a function can be loaded; nothing of it is reached. */
const ENV = {
  DAVIT_TABLE: 'davit',
  DAVIT_CLUSTER_ID: 'davit',
  DAVIT_ADMIN: 'arn:aws:iam::123456789012:role/Admin',
  DAVIT_ENDPOINT: 'https://davit.example.com',
  DAVIT_QUEUE_URL: 'https://sqs.example.com/requests.fifo',
  DAVIT_LATER_QUEUE_URL: 'https://sqs.example.com/later',
  DAVIT_DLQ_URL: 'https://sqs.example.com/dead',
  DAVIT_QUEUE_ARN: 'arn:aws:sqs:us-east-1:123456789012:scheduler.fifo',
  DAVIT_QUEUE_GROUP: 'scheduler',
  DAVIT_SCHEDULE_ROLE: 'arn:aws:iam::123456789012:role/Schedules',
  DAVIT_SCHEDULE_GROUP: 'davit',
};

/**
 * Writes a folder whose `index.js` has the function as `handler`: it runs `code.js`, and when they are needed the files that few
 * requests need. Beside them is what makes node take them for CommonJS wherever they lie, and of a function what this node's V8
 * compiles of what it needs at first.
 */
export function bundle(name: string, folder = join(ROOT, 'dist', name)): Metafile {
  const entry = ENTRIES[name];
  if (entry === undefined) throw new TypeError(`there is no bundle ${JSON.stringify(name)}`);
  const { metafile, isAsBefore } = write(folder, { entryPoints: { code: join(ROOT, entry) } });
  if (isFunction(name)) compile(folder, isAsBefore, answersRequests(name) ? REQUESTS : []);
  return metafile;
}

/** The declarations of a user's file. */
export interface Declarations {
  readonly reconcilers: readonly Declaration[];
  readonly webhooks: readonly WebhookDeclaration[];
}

/** The same of a user's file: the function is the one of its reconcilers and webhooks that DAVIT_FUNCTION names. Throws where it cannot be loaded. */
export function bundleUsers(file: string, folder: string): Declarations {
  const contents = `import * as module from ${JSON.stringify(file)};
    import { usersFunction } from '${HERE}/users-function${EXTENSION}';
    export const { declarations, handler } = usersFunction(module);`;
  const own = ['api', 'controller', 'webhook'].map((name) => [
    `davit/${name}`,
    join(ROOT, `exports/${name}${EXTENSION}`),
  ]);
  const { isAsBefore } = write(folder, { stdin: { contents, resolveDir: ROOT }, alias: Object.fromEntries(own) });
  // Node.js shows the line of a fault: here the whole file.
  const print = `try { process.stdout.write(JSON.stringify(require(process.argv[1]).declarations), () => process.exit(0)); }
    catch (error) { console.error(error); process.exit(1); }`;
  const env = { PATH: process.env['PATH'] };
  const printed = execFileSync(process.execPath, ['-e', print, folder], { encoding: 'utf8', stdio: 'pipe', env });
  compile(folder, isAsBefore, []);
  return JSON.parse(printed) as Declarations;
}

/** Writes all but what V8 compiles. */
function write(folder: string, options: SyncOptions): { readonly metafile: Metafile; readonly isAsBefore: boolean } {
  const how = { ...BUNDLE_OPTIONS, entryNames: 'code', absWorkingDir: ROOT, outdir: folder } as const;
  const { metafile, outputFiles } = buildSync({ ...how, ...options, metafile: true, write: false });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  copyFileSync(join(HERE, 'loader.cjs'), join(folder, 'index.js'));
  const others = new Set(globSync('*.js', { cwd: folder }).filter((name) => name !== 'index.js'));
  let isAsBefore = true;
  for (const { path, text } of outputFiles) {
    others.delete(basename(path));
    if (!writeUnlessSame(path, transformSync(text, CHUNK_OPTIONS).code)) isAsBefore = false;
  }
  for (const stale of others) rmSync(join(folder, stale));
  return { metafile, isAsBefore };
}

function writeUnlessSame(file: string, text: string): boolean {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return true;
  writeFileSync(file, text);
  return false;
}

type SyncOptions = Pick<BuildOptions, 'entryPoints' | 'stdin' | 'alias'>;

/** V8 never writes the same bytes twice: what is right still stays, so that who deploys it sees no change. */
function compile(folder: string, isAsBefore: boolean, requests: readonly string[]): void {
  const compiled = globSync('*.cache', { cwd: folder });
  if (isAsBefore && compiled.includes(`code.${cachedDataVersionTag()}.cache`)) return;
  for (const stale of compiled) rmSync(join(folder, stale));
  execFileSync(process.execPath, [join(HERE, 'compile-bundle.cjs'), folder, ...requests], {
    env: { PATH: process.env['PATH'], ...ENV },
    stdio: 'inherit',
  });
}

if (import.meta.main) {
  const names = process.argv.slice(2);
  for (const name of names.length > 0 ? names : bundleNames()) {
    const sizes = Object.values(bundle(name).outputs).map(({ bytes }) => bytes);
    console.log(`dist/${name} ${Math.round(sizes.reduce((sum, one) => sum + one) / 1024)} KiB`);
  }
}
