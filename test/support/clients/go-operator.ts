import { join } from 'node:path';
import type { Fetched } from './cache.ts';
import { goProgram } from './go-program.ts';

const source = join(import.meta.dirname, 'go-operator');

/** The operator of `go-operator/`. */
export const buildGoOperator = (): Promise<Fetched> => goProgram({ name: 'operator', source });

/** The informer of `go-operator/informer/`. */
export const buildGoInformer = (): Promise<Fetched> => goProgram({ name: 'informer', source, main: './informer' });

/** The webhook on controller-runtime. */
export const buildGoWebhook = (): Promise<Fetched> => goProgram({ name: 'webhook', source, main: './webhook' });
