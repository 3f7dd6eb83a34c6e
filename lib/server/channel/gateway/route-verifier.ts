import type { KeyObject } from 'node:crypto';
import { type Route, verifyRoute } from './route.ts';

/** The maximum number of cached routes: one for each session that this process carries. */
const MAX_ROUTES = 1000;

/** Verifies each route once. Every message of a session contains its route. */
export class RouteVerifier {
  readonly #now: () => number;
  readonly #verified = new Map<string, Route>();

  /** `now` returns the servers' time in ms since 1970. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Verifies and returns the route of a text. Undefined if it is not signed with the key, or has expired. */
  verify(text: string, key: KeyObject): Route | undefined {
    const now = this.#now();
    const route = this.#verified.get(text) ?? verifyRoute(text, key, now);
    if (route === undefined || route.expires <= now) return undefined;
    if (this.#verified.size >= MAX_ROUTES) this.#verified.clear();
    this.#verified.set(text, route);
    return route;
  }
}
