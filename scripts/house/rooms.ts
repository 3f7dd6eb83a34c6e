// Lists the files of the project and their imports, and defines the rule for imports.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/** The root folder of the checkout. */
export const ROOT = normalize(join(import.meta.dirname, '../..'));
/** The top-level folders that contain code. */
export const ROOMS = ['lib', 'adapters', 'functions', 'local', 'infra', 'node-agent', 'exports', 'scripts'];

/** The TypeScript files below a folder, except generated ones. */
function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : sources(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

/** Every TypeScript file in the rooms, including tests. */
export const files = ROOMS.filter((room) => existsSync(join(ROOT, room))).flatMap(sources);
/** Whether a file contains tests, a conformance suite or a benchmark. */
export const isTest = (file: string): boolean => /\.(test|conformance|bench)\.ts$/.test(file);
/** Whether a file is written by hand. git also contains the generated types of built-in kinds. */
export const isWritten = (file: string): boolean =>
  !file.startsWith('lib/api/types/') && !file.includes('/generated/') && file !== 'exports/api.ts';
/** Every TypeScript file that is not a test. */
export const code = files.filter((file) => !isTest(file));

/** An import: the importing file, and the imported file or package. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** The imports in a file, of project files and of packages. */
function importsOf(file: string): Edge[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const specifiers = [...text.matchAll(/^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  return specifiers.map((specifier) => ({ from: file, to: resolved(file, specifier) }));
}

function resolved(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? relative(ROOT, normalize(join(ROOT, dirname(file), specifier))) : specifier;
}

/** Every import in the project's code. */
export const edges = code.flatMap(importsOf);
/** The top-level folder of a path. */
export const room = (path: string): string => path.split('/')[0] ?? '';
/** The function or adapter that a path belongs to. Adapters are grouped in wings, except those of the process and the clock. */
function part(path: string): string {
  const inWing = /^adapters\/(aws|node|server)\//.test(path);
  return path
    .split('/')
    .slice(0, inWing ? 3 : 2)
    .join('/');
}

/** The API server's files that reconcilers may call in their own process. */
const API_SERVER = ['config', 'platform', 'wiring'].map((name) => `functions/apiserver/${name}.ts`);

/**
 * The rooms of lib, from the ground up. Each may only import earlier rooms. The rooms of a wing are adjacent, so imports between wings only
 * go down.
 */
export const RANKS = [
  'machinery',
  'machinery/config',
  'machinery/metrics',
  'flow',
  'storage',
  'api',
  'api/patch',
  'api/schema',
  'api/cel',
  'api/admission-cel',
  'helpers/clientcmd',
  'helpers/csi-translation',
  'helpers/component-helpers',
  'helpers/dynamic-resource-allocation',
  'server/webhook',
  'server/authentication',
  'server/request',
  'server/registry',
  'server/apiextensions',
  'server/authorization',
  'server/policy',
  'server/admission',
  'server/audit',
  'server/backup',
  'server/flowcontrol',
  'server/channel',
  'server/endpoints',
  'server/aggregation',
  'server/options',
  'client',
  'client/controller',
  'sdk/webhook-sdk',
  'sdk/extension-apiserver',
  'sdk/metrics-server',
  'sdk/invocation',
  'stream',
  'controllers',
  'scheduler',
  'poseidon',
  'node/nftables',
  'node/networkpolicy',
  'node/proxy',
  'node/credentialprovider',
  'node/dns',
  'node/cni',
  'node/cri-api',
  'node/kubelet-api',
  'node/csi',
  'node/volume',
  'node/kubelet',
  'simulation',
];

/** The wing of a file in lib. */
export const wingOf = (path: string): string => path.split('/')[1] ?? '';
/** The room of a file in lib: a folder in its wing with its own rank, or otherwise the wing. */
export function roomOf(path: string): string {
  const folder = path.split('/').slice(1, 3).join('/');
  return RANKS.includes(folder) ? folder : wingOf(path);
}
const rankOf = (path: string): number => RANKS.indexOf(roomOf(path));

/** The rule that an import violates; undefined if it violates none. */
export function refusal({ from, to }: Edge): string | undefined {
  const ours = ROOMS.includes(room(to));
  if (room(from) === 'lib') {
    if (ours && room(to) !== 'lib') return 'lib imports nothing above it';
    if (ours && rankOf(to) > rankOf(from)) return `${roomOf(from)} ranks below ${roomOf(to)}`;
    if (to.startsWith('@aws-sdk/') || to.startsWith('aws-cdk')) return 'lib imports no SDK';
    if (to.startsWith('node:') && !['node:crypto', 'node:zlib'].includes(to))
      return 'of node: lib imports crypto and zlib only';
  }
  if (!ours) return undefined;
  if (room(from) === 'adapters' && room(to) !== 'lib' && part(to) !== part(from)) return 'an adapter imports lib only';
  if (room(from) === 'functions' && room(to) === 'functions' && part(to) !== part(from) && !API_SERVER.includes(to))
    return 'functions do not import each other, but for the composition of the API server';
  if (room(from) === 'local' && room(to) === 'functions' && !to.endsWith('/wiring.ts'))
    return 'local imports wirings only';
  if (room(from) === 'node-agent' && !['node-agent', 'adapters', 'lib'].includes(room(to)))
    return 'the node agent imports adapters and lib only';
  if (room(to) === 'node-agent' && room(from) !== 'node-agent') return 'nothing imports the node agent';
  if (room(to) === 'local' && !['local', 'exports', 'scripts'].includes(room(from)))
    return 'only exports and scripts import local';
  if (room(to) === 'scripts' && room(from) !== 'scripts') return 'nothing imports scripts';
  return undefined;
}
