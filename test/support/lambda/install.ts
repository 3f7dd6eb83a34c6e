import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, download, type Fetched, firstMissing, run } from '#test/support/clients/cache.ts';

const VERSION = '4.0.2';
/** The version of node-api-headers. With this package, the build needs no Node.js headers from the machine or from nodejs.org. */
const HEADERS = '1.9.0';
/** Headers that rapid-client.cc includes without using them. Empty files replace them. */
const UNUSED = ['node.h', 'uv.h', 'v8.h'];
const FLAGS = ['-std=c++17', '-O1', '-fPIC', '-shared', '-DNODE_GYP_MODULE_NAME=rapid_client', '-DAWS_LAMBDA_LOG=0'];

/**
 * The program that runs a handler in Lambda (aws-lambda-ric), or the reason why it is missing. The package's own scripts first configure
 * and compile the whole of curl, which takes minutes. This compiles the same client sources in seconds. It uses the headers of the
 * package's curl, and links with the machine's libcurl, which comes with the curl program. libcurl's ABI is stable.
 */
export async function installRuntimeClient(): Promise<Fetched> {
  const absent = await firstMissing([
    ['g++', '--version'],
    ['xz', '--version'],
  ]);
  if (absent !== undefined) return { missing: `aws-lambda-ric is compiled where it is installed, and ${absent}` };
  const installed = await cached(`aws-lambda-ric-${VERSION}-libcurl`, async (folder) => {
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
    await download('npm', ['install', ...options, `aws-lambda-ric@${VERSION}`, `node-api-headers@${HEADERS}`]);
    await compile(join(folder, 'node_modules'));
  });
  return 'missing' in installed ? installed : { path: join(installed.path, 'node_modules/aws-lambda-ric/index.mjs') };
}

/** Compiles the native part of the client: a Node-API module around the library aws-lambda-cpp. */
async function compile(modules: string): Promise<void> {
  const client = join(modules, 'aws-lambda-ric');
  const curl = join(client, 'deps/curl');
  const library = join(client, 'deps/aws-lambda-cpp');
  const unused = join(client, 'deps/unused');
  for (const folder of [curl, library, unused]) mkdirSync(folder);
  for (const name of UNUSED) writeFileSync(join(unused, name), '');
  await run('tar', ['xJf', `${curl}.tar.xz`, '-C', curl, '--wildcards', '*include/curl/*.h']);
  await run('tar', ['xJf', `${library}.tar.xz`, '-C', library]);
  const headers = [join(library, 'include'), join(curl, 'include'), unused];
  const includes = [...headers, join(modules, 'node-api-headers/include'), join(modules, 'node-addon-api')];
  const sources = [
    join(client, 'src/native/rapid-client.cc'),
    join(library, 'src/runtime.cpp'),
    join(library, 'src/logging.cpp'),
    versioned(library),
  ];
  const args = [...FLAGS, ...includes.map((folder) => `-I${folder}`), ...sources];
  await run('g++', [...args, '-o', join(client, 'rapid-client.node'), '-l:libcurl.so.4']);
}

/** Fills in the version that the library reports, as its CMakeLists.txt does. Returns the path of the file. */
function versioned(library: string): string {
  const [, version = '', ...parts] = /VERSION ((\d+)\.(\d+)\.(\d+))/.exec(read(library, 'CMakeLists.txt')) ?? [];
  const values = new Map(['_MAJOR', '_MINOR', '_PATCH'].map((name, i) => [name, parts[i]] as const));
  const file = join(library, 'src/version.cpp');
  const filled = read(library, 'src/version.cpp.in').replaceAll(
    /@PROJECT_VERSION(\w*)@/g,
    (_, part: string) => values.get(part) ?? version,
  );
  writeFileSync(file, filled);
  return file;
}

const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');
