import { builtInScheme } from './built-in-scheme.ts';

/** How bodies of `…/scale` are read. */
export const SCALE = builtInScheme({ group: 'autoscaling', version: 'v1', kind: 'Scale' });
