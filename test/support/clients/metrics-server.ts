import { cpSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cached, type Fetched, pathOf, run } from './cache.ts';
import { installGo } from './go.ts';
import { goProgram } from './go-program.ts';

const MODULE = 'sigs.k8s.io/metrics-server';
const source = join(import.meta.dirname, 'metrics-server');

/** Upstream's metrics-server, unmodified, as its image has it. */
export const buildMetricsServer = (): Promise<Fetched> =>
  goProgram({
    name: 'metrics-server',
    source,
    main: `${MODULE}/cmd/metrics-server`,
  });

/** The folder of upstream's manifest of the same version: a base of kustomize. */
export async function metricsServerManifest(): Promise<Fetched> {
  const program = await buildMetricsServer();
  if ('missing' in program) return program;
  return cached(`manifest-of-${basename(dirname(program.path))}`, async (folder) => {
    const module = await run(pathOf(await installGo()), ['list', '-m', '-f', '{{.Dir}}', MODULE], { cwd: source });
    cpSync(join(module.trim(), 'manifests/base'), folder, { recursive: true });
  });
}
