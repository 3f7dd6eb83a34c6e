import { cpSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cached, type Fetched, pathOf, run } from './cache.ts';
import { installGo } from './go.ts';
import { goProgram } from './go-program.ts';

const MODULE = 'sigs.k8s.io/metrics-server';
const source = join(import.meta.dirname, 'metrics-server');

/** Upstream's metrics-server, unmodified, as in its image. */
export const buildMetricsServer = (): Promise<Fetched> =>
  goProgram({
    name: 'metrics-server',
    source,
    main: `${MODULE}/cmd/metrics-server`,
  });

/** The folder with upstream's manifest of the same version, which is a kustomize base. */
export async function metricsServerManifest(): Promise<Fetched> {
  const program = await buildMetricsServer();
  if ('missing' in program) return program;
  return cached(`manifest-of-${basename(dirname(program.path))}`, async (folder) => {
    const module = await run(pathOf(await installGo()), ['list', '-m', '-f', '{{.Dir}}', MODULE], { cwd: source });
    cpSync(join(module.trim(), 'manifests/base'), folder, { recursive: true });
  });
}
