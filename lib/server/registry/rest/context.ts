import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Admission, Attributes } from '../admission.ts';

/** The context of a storage operation: its request. */
export interface OperationContext {
  readonly cluster: string;
  /** Empty for cluster-scoped resources and for lists across namespaces. */
  readonly namespace: string;
  readonly user: User;
  readonly now: Date;
  readonly dryRun: boolean;
  /** `options.fieldManager`, or the default from the user agent. */
  readonly fieldManager: string;
  /** The subresource that the request writes, or empty. */
  readonly subresource: string;
  /** Whether the request is a server-side apply. */
  readonly applies?: boolean;
  /** Whether this is one deletion of a collection delete. Admission then sees no name, because the request has none. */
  readonly isCollection?: boolean;
  readonly admission: Admission;
  /** The request's options in the form that admission reads. */
  readonly options: JsonObject | undefined;
  warn(text: string): void;
  /** Lets other requests run if this one has blocked them too long. Returns undefined otherwise. */
  turn?(): Promise<void> | undefined;
  /** Updates only. Throws 403 if the update would create an object and the user may not create. */
  mayCreate?(): Promise<void>;
  /** Throws 403 if the user may not delete objects that cannot be read. */
  mayDiscard?(): Promise<void>;
  /** Adds an annotation to the audit event. */
  annotate(key: string, value: string, shows?: 'bodies'): void;
  took?: Attributes['took'];
}
