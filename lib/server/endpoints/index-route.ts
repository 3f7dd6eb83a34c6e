import { apiVersion } from '#lib/machinery/schema.ts';
import type { ApiResponse } from './api.ts';
import type { DiscoveredVersion } from './discovery/resource-list.ts';
import type { Route } from './non-resource.ts';

/** Serves `/` and `/index.html`: the served paths, sorted by name. */
export function indexRoutes(
  routes: readonly Route[],
  versions: () => Promise<readonly DiscoveredVersion[]>,
): readonly Route[] {
  const fixed = routes.filter(({ prefix }) => prefix !== true).map(({ path }) => path);
  const handle = async (): Promise<ApiResponse> => {
    const paths = new Set([...fixed, ...(await versions()).flatMap(pathsOf)]);
    const body = JSON.stringify({ paths: [...paths].sort() }, null, 2);
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  };
  return ['/', '/index.html'].map((path) => ({ path, method: 'any', handle }));
}

const pathsOf = (version: DiscoveredVersion): string[] =>
  version.group === '' ? [`/api/${version.version}`] : [`/apis/${version.group}`, `/apis/${apiVersion(version)}`];
