import type { Clock } from '#lib/machinery/clock.ts';
import type { Authenticator } from '#lib/server/authentication/authenticator.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { Flow, FlowControl } from '#lib/server/flowcontrol/flow-control.ts';
import type { IdentityRate } from '#lib/server/flowcontrol/identity-rate.ts';
import type { ApiRequest, ApiResponse, RequestInfo } from '../api.ts';
import type { AuditPorts } from '../audit/audit-ports.ts';
import type { Latencies } from '../audit/latencies.ts';
import type { RequestAudit } from '../audit/request-audit.ts';
import type { AccessMetrics } from '../metrics/access-metrics.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { RequestLog } from './request-line.ts';

/** The state of a request: each filter adds its part, and a later filter relies on the earlier ones. */
export interface RequestState {
  readonly auditId: string;
  readonly now: Date;
  readonly warnings: Set<string>;
  readonly annotations: Map<string, string>;
  info: RequestInfo;
  user: User;
  /** The user who acts as `user`. */
  impersonator?: User;
  /** The subresource, or the path of no resource, under which the request is counted; absent until something serves it. */
  servedAs?: string;
  /** The cluster for which a node may sign this request; absent where the client has shown a certificate, and where none may. */
  nodeRealm?: string;
  /** Why the request failed, for the log; absent if it did not, or if the answer has the reason itself. */
  error?: unknown;
  /** Refused for want of room, or given up for want of time. */
  terminated?: true;
  /** Receives bodies for the audit event; absent if nothing is audited, and before authentication. */
  audit?: RequestAudit;
  /** The verb by which a constrained impersonation was allowed. */
  impersonationConstraint?: string;
  /** By which flow schema and priority level the request was judged. */
  flow?: Flow;
  /** Where the time went; absent where nothing is audited. */
  readonly latencies?: Latencies | undefined;
  /** Refuses who may not create the object that the request names, which an update or a patch may come to. */
  mayCreate?: () => Promise<void>;
  /** Refuses who may not delete objects that cannot be read. */
  mayDiscard?: () => Promise<void>;
  /** Told by a watch when its initial events are written, and when it ends. */
  watchStage?: (stage: 'begun' | 'ended') => void;
}

/** Answers a request. A StatusError or StoreError that it throws becomes a Status. */
export type Handler = (request: ApiRequest, state: RequestState) => Promise<ApiResponse>;

/** How many requests may be under way at once; 0 is any number. */
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
  /** The cluster that assertions of nodes are for; absent where none are known. */
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
  /** Absent where there is no policy: then nothing is audited. */
  readonly audit?: AuditPorts;
  /** Absent where no request is logged. */
  readonly requestLog?: RequestLog;
  /** Tells the operator of a fault that the client is not told of. */
  reportFault(auditId: string, error: unknown): void;
}

/** Wraps a handler. Upstream's `http.Handler` decorators. */
export type Filter = (next: Handler, ports: FilterPorts) => Handler;
