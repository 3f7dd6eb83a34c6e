import { join } from 'node:path';
import type { Fetched } from './cache.ts';
import { goProgram } from './go-program.ts';

const source = join(import.meta.dirname, 'opa');

/** The directory of the test policies. They respond to access, image and admission reviews, and restrict the clients. */
export const OPA_POLICIES = join(source, 'policy');

/** Builds Open Policy Agent from its Go module. */
export const buildOpa = (): Promise<Fetched> =>
  goProgram({ name: 'opa', source, main: 'github.com/open-policy-agent/opa' });
