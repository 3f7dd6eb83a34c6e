import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { User } from '#lib/server/authentication/user.ts';

/** A write that has been admitted and is not yet stored. */
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

/** Throws what the client is told. */
export type WriteCheck = (write: GuardedWrite) => Promise<void>;

/** Whether the user may store that, where the content decides. */
export interface WriteGuard {
  /** Before validation: upstream's storages that wrap others ("policybased"). */
  readonly admitted?: WriteCheck;
  /** Behind a kind's validation, of what is well-formed and not a subresource's: upstream's strategies that authorize. */
  readonly wellFormed?: WriteCheck;
}

/** By `group/resource`. */
export type WriteGuards = Readonly<Record<string, WriteGuard>>;
