import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind, GroupVersionResource } from '#lib/machinery/schema.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { ObjectScheme } from './resource.ts';

/** The operation of a request, under admission's name for it. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A request and its object: upstream's admission.Attributes. */
export interface Attributes {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty if the server has not generated the name yet. */
  readonly name: string;
  /** Decodes, encodes and converts objects of the kind. */
  readonly scheme: ObjectScheme;
  /** The object in the hub version. Mutating plugins change it in place. Absent on DELETE. */
  readonly object?: JsonObject;
  /** Absent on CREATE. */
  readonly oldObject?: JsonObject;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions, including their kind. Absent on CONNECT. */
  readonly options: JsonObject | undefined;
  readonly user: User;
  /** Adds an annotation to the audit event. `bodies`: only at audit levels that log bodies. The first value of a key wins. */
  annotate(key: string, value: string, shows?: 'bodies'): void;
  /** All facts of the request. Upstream passes them to plugins as a separate context. */
  readonly context: RequestContext;
}

/** The admission of every write. Each method rejects a request by throwing a StatusError. */
export interface Admission {
  /** Mutating admission. May change the object. */
  admit(attributes: Attributes): Promise<void>;
  /** Validating admission of requests that store no object: deletions, connections and reviews. */
  validate(attributes: Attributes): Promise<void>;
  /**
   * Runs validating admission and then `write`, and reserves quota for it. A rejected or stale write (undefined) releases the reservation.
   * If the outcome is unknown, the reservation is kept until it expires.
   */
  validated<T>(attributes: Attributes, write: () => Promise<T>): Promise<T>;
}

/** Admits everything. */
export const NO_ADMISSION: Admission = {
  admit: async () => {},
  validate: async () => {},
  validated: (_attributes, write) => write(),
};
