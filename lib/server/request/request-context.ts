import { newUid } from '#lib/machinery/random.ts';
import { ANONYMOUS, type User } from '#lib/server/authentication/user.ts';
import type { ApiRequest } from './api-request.ts';
import type { Latencies } from './latencies.ts';
import type { RequestAudit } from './request-audit.ts';
import { NO_INFO, type RequestInfo } from './request-info.ts';

/**
 * Everything that is known about a request: upstream's context.Context with its RequestInfo, user and audit context. It is always passed as
 * a whole. A filter adds its facts with `withFacts`, and later stages rely on the facts of earlier ones.
 */
export interface RequestContext {
  /** The request without the headers that a filter has consumed: credentials and impersonation. */
  readonly request: ApiRequest;
  readonly auditId: string;
  /** The wall-clock time at which the request arrived. */
  readonly now: Date;
  readonly info: RequestInfo;
  readonly user: User;
  /** The real user, if it impersonates `user`. */
  readonly impersonator?: User;
  /** The verb that allowed a constrained impersonation. */
  readonly impersonationConstraint?: string;
  /** The flow schema and priority level of the request. */
  readonly flow?: Flow;
  /** Receives bodies for the audit event. Absent if the request is not audited, and before authentication. */
  readonly audit?: RequestAudit;
  /** Throws if the user may not create the object that the request names. An update or a patch may create it. */
  readonly mayCreate?: () => Promise<void>;
  /** Throws if the user may not delete objects that cannot be read. */
  readonly mayDiscard?: () => Promise<void>;
  /** Called by a watch when its initial events are written, and when it ends. */
  readonly watchStage?: (stage: 'begun' | 'ended') => void;
  /** Adds a Warning header to the response, unless it already has the same one. */
  readonly warn: (text: string) => void;
  /** The texts of the Warning headers. */
  readonly warnings: ReadonlySet<string>;
  /** Annotations of the request's audit event. */
  readonly annotations: Map<string, string>;
  /** The latencies per layer. Absent without auditing. */
  readonly latencies?: Latencies;
  readonly outcome: RequestOutcome;
}

/** Facts that the stages of a request report to the filters around them. All contexts of a request share one object. */
export interface RequestOutcome {
  /** The context with the facts of all filters that the request has passed. Absent before the first. */
  latest?: RequestContext;
  /** The subresource, or the path of a non-resource request, under which metrics count the request. Absent until a route serves it. */
  servedAs?: string;
  /** Why the request failed, for the log. Absent if it succeeded, or if the response contains the reason. */
  error?: unknown;
  /** True if the request was rejected for lack of capacity, or timed out. */
  terminated?: true;
}

/** The flow schema and priority level of a request. UIDs are empty for objects that are not stored. */
export interface Flow {
  readonly schemaUid: string;
  readonly levelUid: string;
}

/** The context of a request that has not passed any filter. The client may choose the audit id. */
export function newRequestContext(
  request: ApiRequest,
  given: Pick<RequestContext, 'now' | 'latencies'>,
): RequestContext {
  const warnings = new Set<string>();
  return {
    ...given,
    request,
    auditId: request.headers['audit-id'] || newUid(),
    info: NO_INFO,
    user: ANONYMOUS,
    warn: (text) => void warnings.add(text),
    warnings,
    annotations: new Map(),
    outcome: {},
  };
}

/** Adds facts for later stages. Earlier filters read them with `latestOf` after the response. */
export function withFacts(context: RequestContext, facts: Partial<RequestContext>): RequestContext {
  const extended = { ...context, ...facts };
  context.outcome.latest = extended;
  return extended;
}

/** Returns the context with the facts of all filters that the request has passed. */
export const latestOf = (context: RequestContext): RequestContext => context.outcome.latest ?? context;
