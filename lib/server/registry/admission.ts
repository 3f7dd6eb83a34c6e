import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind, GroupVersionResource } from '#lib/machinery/schema.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { ObjectScheme } from './resource.ts';

/** The operation of a request, as admission names it. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A request and its object: upstream's admission.Attributes. */
export interface Attributes {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty while the server has yet to generate it. */
  readonly name: string;
  /** How objects of the kind travel between versions. */
  readonly scheme: ObjectScheme;
  /** In the version that strategies see. Mutating plugins change it in place. Absent on DELETE. */
  readonly object?: JsonObject;
  /** Absent on CREATE. */
  readonly oldObject?: JsonObject;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions, with their kind; absent on CONNECT. */
  readonly options: JsonObject | undefined;
  readonly user: User;
  /** Adds a Warning header to the answer. */
  warn(text: string): void;
  /** Keeps a value for the audit log; one that shows bodies only where the log does. The first of a key stays. */
  annotate(key: string, value: string, shows?: 'bodies'): void;
  /** How long webhooks took, for the audit log of a slow request. */
  took?: ((layer: 'mutating-webhook' | 'validating-webhook', milliseconds: number) => void) | undefined;
}

/** The admission of every write. Each method refuses by throwing a StatusError. */
export interface Admission {
  /** Mutating admission: may change the object. */
  admit(attributes: Attributes): Promise<void>;
  /** Validating admission of requests that store no object: a deletion, a connection, a review. */
  validate(attributes: Attributes): Promise<void>;
  /**
   * Validating admission and then `write`, with what it needs reserved. A write that is refused, or undefined because it came too
   * late, gives that back. One whose end is unknown does not: what it reserved expires.
   */
  validated<T>(attributes: Attributes, write: () => Promise<T>): Promise<T>;
}

/** Admits everything. */
export const NO_ADMISSION: Admission = {
  admit: async () => {},
  validate: async () => {},
  validated: (_attributes, write) => write(),
};
