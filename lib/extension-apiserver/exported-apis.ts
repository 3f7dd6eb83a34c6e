import type { DefinedAggregatedApi } from './define-aggregated-api.ts';

/** The aggregated APIs among a module's exports, by name. Throws TypeError where two have one name, or that of another function in `taken`. */
export function exportedApis(module: object, taken: Iterable<string> = []): ReadonlyMap<string, DefinedAggregatedApi> {
  const values = [...new Set<unknown>(Object.values(module))].filter(isApi);
  const names = [...taken, ...values.map(({ declaration }) => declaration.name)];
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new TypeError(`${twice} is declared twice`);
  return new Map(values.map((one) => [one.declaration.name, one]));
}

const isApi = (value: unknown): value is DefinedAggregatedApi =>
  typeof value === 'object' &&
  value !== null &&
  'declaration' in value &&
  'resources' in value &&
  value.resources instanceof Map;
