import { join } from 'node:path';
import type { Fetched } from './cache.ts';
import { goProgram } from './go-program.ts';

const source = join(import.meta.dirname, 'metrics-server');

/** Upstream's metrics-server, unmodified. */
export const buildMetricsServer = (): Promise<Fetched> =>
  goProgram({
    name: 'metrics-server',
    source,
    main: 'sigs.k8s.io/metrics-server/cmd/metrics-server',
    tags: ['netgo', 'osusergo'],
  });
