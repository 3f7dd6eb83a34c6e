import { randomSuffix } from './random.ts';

const MAX_BASE = 58;

/**
 * Upstream's SimpleNameGenerator: the base and five random characters. The base is truncated so that the name has at most 63 characters.
 */
export function generateName(base: string): string {
  return `${base.slice(0, MAX_BASE)}${randomSuffix()}`;
}
