import { messageOfError } from '#lib/machinery/error-message.ts';
import type { PodRoute } from './wanted-routes.ts';

/** The kernel routes that this program created, which have its protocol number. */
export interface RouteTable {
  /** Rejects with an Error if they cannot be listed. */
  list(): Promise<readonly PodRoute[]>;
  /** Rejects with an Error if the route cannot be created, for example because another program created a route to the destination. */
  add(route: PodRoute): Promise<void>;
  /** Does nothing if the route does not exist. */
  remove(route: PodRoute): Promise<void>;
}

/**
 * Reconciles the routes with the wanted ones. Removes differing routes before it creates others. Returns the errors by destination. Rejects
 * if the table cannot be read.
 */
export async function syncRoutes(table: RouteTable, wanted: readonly PodRoute[]): Promise<ReadonlyMap<string, string>> {
  const [there, keys] = [await table.list(), new Set(wanted.map(keyOf))];
  const faults = new Map<string, string>();
  const attempt = async ({ destination }: PodRoute, work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => void faults.set(destination, messageOfError(error)));
  for (const route of there) if (!keys.has(keyOf(route))) await attempt(route, table.remove(route));
  const known = new Set(there.map(keyOf));
  for (const route of wanted) if (!known.has(keyOf(route))) await attempt(route, table.add(route));
  return faults;
}

const keyOf = ({ destination, gateway }: PodRoute): string => `${destination} via ${gateway}`;
