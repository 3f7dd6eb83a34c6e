import { builtInScheme } from './built-in-scheme.ts';

/** Decodes and encodes the bodies of `…/scale`. */
export const SCALE = builtInScheme({ group: 'autoscaling', version: 'v1', kind: 'Scale' });
