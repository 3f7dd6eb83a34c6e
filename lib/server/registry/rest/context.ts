import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Admission, Attributes } from '../admission.ts';

/** The request of a storage operation. */
export interface OperationContext {
  readonly cluster: string;
  /** Empty for cluster-scoped resources and for lists across namespaces. */
  readonly namespace: string;
  readonly user: User;
  readonly now: Date;
  readonly dryRun: boolean;
  /** `options.fieldManager`, or what the user agent says. */
  readonly fieldManager: string;
  /** The subresource that the request writes through, or empty. */
  readonly subresource: string;
  /** Whether it is a server-side apply. */
  readonly applies?: boolean;
  /** Whether it deletes one object of a collection: admission sees no name, since the request has none. */
  readonly isCollection?: boolean;
  readonly admission: Admission;
  /** The options of the request, as admission reads them. */
  readonly options: JsonObject | undefined;
  warn(text: string): void;
  /** Lets other requests through where this one has kept them waiting; at once otherwise. */
  turn?(): Promise<void> | undefined;
  /** Of a request that changes what is there: throws 403 where it may not create, before it does. */
  mayCreate?(): Promise<void>;
  /** Throws 403 where it may not delete objects that cannot be read. */
  mayDiscard?(): Promise<void>;
  /** Keeps a value for the audit log. */
  annotate(key: string, value: string, shows?: 'bodies'): void;
  took?: Attributes['took'];
}
