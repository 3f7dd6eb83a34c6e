import type { User } from '#lib/authentication/user.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

/** A write that has been admitted and is not yet validated. */
export interface GuardedWrite {
  readonly resource: GroupVersionResource;
  readonly user: User;
  readonly namespace: string;
  /** The name in the request's path; a POST has none. */
  readonly requestName: string;
  readonly object: JsonObject;
  /** Absent where the object is new. */
  readonly old?: JsonObject;
}

/**
 * Whether the user may store that, where the content decides: upstream's storages that wrap others ("policybased"). Throws
 * what the client is told.
 */
export type WriteGuard = (write: GuardedWrite) => Promise<void>;

/** By `group/resource`. */
export type WriteGuards = Readonly<Record<string, WriteGuard>>;
