import { apiVersion } from '#lib/machinery/schema.ts';
import type { DefinedAggregatedApi } from './define-aggregated-api.ts';

/**
 * The aggregated APIs among a module's exports, by name. Throws TypeError if two have the same name or group version, or if another
 * function in `taken` has the name.
 */
export function exportedApis(module: object, taken: Iterable<string> = []): ReadonlyMap<string, DefinedAggregatedApi> {
  const values = [...new Set<unknown>(Object.values(module))].filter(isApi);
  const names = [...taken, ...values.map(({ declaration }) => declaration.name)];
  const twice = firstTwice(names);
  if (twice !== undefined) throw new TypeError(`${twice} is declared twice`);
  const served = firstTwice(values.map(({ declaration }) => apiVersion(declaration)));
  if (served !== undefined) throw new TypeError(`${served} is served twice: give one API all resources of it`);
  return new Map(values.map((one) => [one.declaration.name, one]));
}

const firstTwice = (all: readonly string[]): string | undefined => all.find((one, i) => all.indexOf(one) < i);

const isApi = (value: unknown): value is DefinedAggregatedApi =>
  typeof value === 'object' &&
  value !== null &&
  'declaration' in value &&
  'resources' in value &&
  value.resources instanceof Map;
