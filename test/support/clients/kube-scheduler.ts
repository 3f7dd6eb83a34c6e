import { join } from 'node:path';
import type { Fetched } from './cache.ts';
import { goProgram } from './go-program.ts';

/** Upstream's scheduler, built like a scheduler with custom plugins: as a module that requires k8s.io/kubernetes. */
export const buildKubeScheduler = (): Promise<Fetched> =>
  goProgram({ name: 'kube-scheduler', source: join(import.meta.dirname, 'kube-scheduler') });
