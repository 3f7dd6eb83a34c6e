import type { KeyObject } from 'node:crypto';
import { type Route, verifyRoute } from './route.ts';

/** Routes that are remembered: one for each session that this process carries. */
const MAX_ROUTES = 1000;

/** Verifies routes, each once: a route comes with every message of its session. */
export class RouteVerifier {
  readonly #now: () => number;
  readonly #verified = new Map<string, Route>();

  /** `now`: milliseconds since 1970 by the clock of the servers. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The route of a text by the key; undefined where it is not signed by it, or has expired. */
  verify(text: string, key: KeyObject): Route | undefined {
    const now = this.#now();
    const route = this.#verified.get(text) ?? verifyRoute(text, key, now);
    if (route === undefined || route.expires <= now) return undefined;
    if (this.#verified.size >= MAX_ROUTES) this.#verified.clear();
    this.#verified.set(text, route);
    return route;
  }
}
