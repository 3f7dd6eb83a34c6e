import { messageOfError } from '#lib/machinery/error-message.ts';
import type { PodRoute } from './wanted-routes.ts';

/** The routes in the kernel that this program has made: those of its protocol number. */
export interface RouteTable {
  /** Rejects with an Error where they cannot be told. */
  list(): Promise<readonly PodRoute[]>;
  /** Rejects with an Error where it cannot be made, as where a route to the destination is there that others made. */
  add(route: PodRoute): Promise<void>;
  /** A route that is gone is no error. */
  remove(route: PodRoute): Promise<void>;
}

/** Brings the routes to the wanted ones; each that differs is removed before others are made. Gives why some could not be, by destinations. Rejects where the table cannot be read. */
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
