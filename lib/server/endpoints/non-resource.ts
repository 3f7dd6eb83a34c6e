import { methodNotAllowed } from '#lib/machinery/errors.ts';
import type { ApiResponse } from './api.ts';
import type { Handler } from './filters/filter.ts';

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** net/http's answer to a path that nothing serves. */
export const pageNotFound = (): ApiResponse => ({
  status: 404,
  headers: { ...TEXT, 'x-content-type-options': 'nosniff' },
  body: '404 page not found\n',
});

/** An answer in plain text. */
export const text = (body: string, status = 200): ApiResponse => ({ status, headers: { ...TEXT }, body });

/** Go's HTTP server's answer to a path whose encoding is broken. */
export const brokenPath = (): ApiResponse => text('400 Bad Request', 400);

/** One path, or all below it. Undefined answers mean that the path is not served after all. */
export interface Route {
  readonly path: string;
  readonly prefix?: boolean;
  /** Default GET, where a slash may stand behind the path. What takes any method is served at exactly its path: upstream's mux. */
  readonly method?: 'POST' | 'any';
  readonly handle: (...args: Parameters<Handler>) => Promise<ApiResponse | undefined> | ApiResponse | undefined;
}

/** Serves the paths that are no resources: the first route that fits and answers. */
export function nonResourceRoutes(routes: readonly Route[]): Handler {
  return async (request, state) => {
    for (const route of routes) {
      if (!fits(route, request.path)) continue;
      if (route.method !== 'any' && request.method !== (route.method ?? 'GET')) throw methodNotAllowed();
      const response = await route.handle(request, state);
      if (response === undefined) continue;
      state.servedAs = route.path;
      return response;
    }
    return pageNotFound();
  };
}

function fits({ path, prefix, method }: Route, requested: string): boolean {
  if (prefix === true) return requested.startsWith(`${path}/`);
  return requested === path || (method !== 'any' && requested === `${path}/`);
}
