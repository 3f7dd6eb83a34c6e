import { join } from 'node:path';
import type { Fetched } from './cache.ts';
import { goProgram } from './go-program.ts';

const source = join(import.meta.dirname, 'opa');

/** Policies of ours: they answer reviews of access, of images and of admission, and say who may ask. */
export const OPA_POLICIES = join(source, 'policy');

/** Open Policy Agent, as its module has it. */
export const buildOpa = (): Promise<Fetched> =>
  goProgram({ name: 'opa', source, main: 'github.com/open-policy-agent/opa' });
