import { join } from 'node:path';
import type { Fetched } from './cache.ts';
import { goProgram } from './go-program.ts';

const source = join(import.meta.dirname, 'sample-apiserver');

/** Upstream's sample-apiserver, with etcd in the same process. */
export const buildSampleApiserver = (): Promise<Fetched> => goProgram({ name: 'sample-apiserver', source });
