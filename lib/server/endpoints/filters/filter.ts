import type { Clock } from '#lib/machinery/clock.ts';
import type { Authenticator } from '#lib/server/authentication/authenticator.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { Flow, FlowControl } from '#lib/server/flowcontrol/flow-control.ts';
import type { IdentityRate } from '#lib/server/flowcontrol/identity-rate.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { Latencies } from '#lib/server/request/latencies.ts';
import type { RequestAudit } from '#lib/server/request/request-audit.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';
import type { ApiResponse } from '../api.ts';
import type { AuditPorts } from '../audit/audit-ports.ts';
import type { AccessMetrics } from '../metrics/access-metrics.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { RequestLog } from './request-line.ts';

/** The state of a request. Each filter adds its part, and later filters rely on earlier ones. */
export interface RequestState {
  readonly auditId: string;
  readonly now: Date;
  readonly warnings: Set<string>;
  readonly annotations: Map<string, string>;
  info: RequestInfo;
  user: User;
  /** The real user, who impersonates `user`. */
  impersonator?: User;
  /** The subresource, or the path of a non-resource request, under which metrics count the request; absent until a route serves it. */
  servedAs?: string;
  /** The cluster for which a node may sign this request; absent if the client has shown a certificate, or if no node may sign. */
  nodeRealm?: string;
  /** Why the request failed, for the log; absent if it succeeded, or if the response contains the reason. */
  error?: unknown;
  /** True if the request was rejected for lack of capacity, or timed out. */
  terminated?: true;
  /** Receives bodies for the audit event; absent if nothing is audited, and before authentication. */
  audit?: RequestAudit;
  /** The verb that allowed a constrained impersonation. */
  impersonationConstraint?: string;
  /** The flow schema and priority level of the request. */
  flow?: Flow;
  /** The latencies per layer; absent without auditing. */
  readonly latencies?: Latencies | undefined;
  /** Throws if the user may not create the object that the request names. An update or a patch may create it. */
  mayCreate?: () => Promise<void>;
  /** Throws if the user may not delete objects that cannot be read. */
  mayDiscard?: () => Promise<void>;
  /** Called by a watch when its initial events are written, and when it ends. */
  watchStage?: (stage: 'begun' | 'ended') => void;
}

/** Responds to a request. A StatusError or StoreError that it throws becomes a Status. */
export type Handler = (request: ApiRequest, state: RequestState) => Promise<ApiResponse>;

/** The maximum number of requests in flight; 0 means no limit. */
export interface InFlightLimits {
  readonly reading: number;
  readonly mutating: number;
}

/** The ports of the filters. */
export interface FilterPorts {
  readonly clock: Clock;
  readonly authenticator: Authenticator;
  /** Headers by which proxies identify users; in lower case. */
  isIdentityHeader?(name: string): boolean;
  /** The cluster for which nodes sign assertions; absent if nodes cannot authenticate. */
  readonly nodeRealm?: string;
  readonly authorizer: Authorizer;
  /** API Priority and Fairness; without it no request queues. */
  readonly flowControl?: FlowControl;
  /** The most concurrent requests if there is no flow control. */
  readonly inFlightLimits?: InFlightLimits;
  /** Limits the rate of each identity; without it none is limited. */
  readonly identityRate?: IdentityRate;
  readonly metrics: RequestMetrics;
  readonly access: AccessMetrics;
  /** Absent without a policy. Then no request is audited. */
  readonly audit?: AuditPorts;
  /** Absent if requests are not logged. */
  readonly requestLog?: RequestLog;
  /** Reports a fault to the operator that the client does not see. */
  reportFault(auditId: string, error: unknown): void;
}

/** Wraps a handler, like upstream's `http.Handler` decorators. */
export type Filter = (next: Handler, ports: FilterPorts) => Handler;
