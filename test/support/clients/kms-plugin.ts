import { join } from 'node:path';
import type { Fetched } from './cache.ts';
import { goProgram } from './go-program.ts';

const source = join(import.meta.dirname, 'kms-plugin');

/** A KMS plugin with upstream's library. */
export const buildKmsPlugin = (): Promise<Fetched> => goProgram({ name: 'kms-plugin', source, file: 'plugin' });
