import { join } from 'node:path';
import type { Fetched } from './cache.ts';
import { goProgram } from './go-program.ts';

const source = join(import.meta.dirname, 'opa');

/** Our policies: they respond to reviews of access, images and admission, and restrict the callers. */
export const OPA_POLICIES = join(source, 'policy');

/** Open Policy Agent, as its module has it. */
export const buildOpa = (): Promise<Fetched> =>
  goProgram({ name: 'opa', source, main: 'github.com/open-policy-agent/opa' });
