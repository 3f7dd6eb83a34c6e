import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { Admission } from '../admission.ts';

/** The context of a storage operation: its complete request, and the options that the request sets for the operation. */
export interface OperationContext extends RequestContext {
  readonly cluster: string;
  /** Empty for cluster-scoped resources and for lists across namespaces. */
  readonly namespace: string;
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
}
