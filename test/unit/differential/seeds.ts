import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { JsonObject } from '#lib/machinery/json-value.ts';

/** A valid object and the collection to create it in. */
export interface Seed {
  readonly path: string;
  readonly object: JsonObject;
}

/** One valid object of each kind that the random suites change. */
export const SEEDS = parse(readFileSync(new URL('seeds.yaml', import.meta.url), 'utf8')) as readonly Seed[];

/** The seed's object under a new name. */
export function named({ object }: Seed, name: string): JsonObject {
  return { ...structuredClone(object), metadata: { name, labels: { suite: 'differential' } } };
}
