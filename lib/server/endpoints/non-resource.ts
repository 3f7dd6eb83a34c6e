import { methodNotAllowed } from '#lib/machinery/errors.ts';
import type { ApiResponse } from './api.ts';
import type { Handler } from './filters/filter.ts';

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** Returns net/http's response for a path that is not served. */
export const pageNotFound = (): ApiResponse => ({
  status: 404,
  headers: { ...TEXT, 'x-content-type-options': 'nosniff' },
  body: '404 page not found\n',
});

/** Returns a response in plain text. */
export const text = (body: string, status = 200): ApiResponse => ({ status, headers: { ...TEXT }, body });

/** Returns the response of Go's HTTP server to a path with a broken encoding. */
export const brokenPath = (): ApiResponse => text('400 Bad Request', 400);

/** A route for one path or everything below it. If the handler returns undefined, the path is not served after all. */
export interface Route {
  readonly path: string;
  readonly prefix?: boolean;
  /** Default GET, which also matches a trailing slash. A route for any method matches only its exact path, like upstream's mux. */
  readonly method?: 'POST' | 'any';
  readonly handle: (...args: Parameters<Handler>) => Promise<ApiResponse | undefined> | ApiResponse | undefined;
}

/** Serves the non-resource paths with the first matching route that responds. */
export function nonResourceRoutes(routes: readonly Route[]): Handler {
  return async (context) => {
    const { request, outcome } = context;
    for (const route of routes) {
      if (!fits(route, request.path)) continue;
      if (route.method !== 'any' && request.method !== (route.method ?? 'GET')) throw methodNotAllowed();
      const response = await route.handle(context);
      if (response === undefined) continue;
      outcome.servedAs = route.path;
      return response;
    }
    return pageNotFound();
  };
}

function fits({ path, prefix, method }: Route, requested: string): boolean {
  if (prefix === true) return requested.startsWith(`${path}/`);
  return requested === path || (method !== 'any' && requested === `${path}/`);
}
