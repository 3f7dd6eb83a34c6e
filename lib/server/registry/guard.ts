import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { User } from '#lib/server/authentication/user.ts';

/** A write that passed admission and is not stored yet. */
export interface GuardedWrite {
  readonly resource: GroupVersionResource;
  readonly user: User;
  readonly namespace: string;
  /** The name in the request's path. Empty for POST. */
  readonly requestName: string;
  readonly object: JsonObject;
  /** Absent for a new object. */
  readonly old?: JsonObject;
}

/** Throws the error that the client receives. */
export type WriteCheck = (write: GuardedWrite) => Promise<void>;

/** Authorization that depends on the object's content. */
export interface WriteGuard {
  /** Runs before validation: upstream's storage wrappers ("policybased"). */
  readonly admitted?: WriteCheck;
  /** Runs after the kind's validation, but not for subresources: upstream's strategies that authorize. */
  readonly wellFormed?: WriteCheck;
}

/** Keyed by `group/resource`. */
export type WriteGuards = Readonly<Record<string, WriteGuard>>;
