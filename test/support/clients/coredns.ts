import { join } from 'node:path';
import type { Fetched } from './cache.ts';
import { goProgram } from './go-program.ts';

/** CoreDNS with the plugins needed for a cluster's names, built like a CoreDNS with custom plugins. */
export const buildCoreDNS = (): Promise<Fetched> =>
  goProgram({ name: 'coredns', source: join(import.meta.dirname, 'coredns') });
