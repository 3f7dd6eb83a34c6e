import type { Clock } from '#lib/machinery/clock.ts';
import type { Authenticator } from '#lib/server/authentication/authenticator.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { FlowControl } from '#lib/server/flowcontrol/flow-control.ts';
import type { IdentityRate } from '#lib/server/flowcontrol/identity-rate.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { ApiResponse } from '../api.ts';
import type { AuditPorts } from '../audit/audit-ports.ts';
import type { AccessMetrics } from '../metrics/access-metrics.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { RequestLog } from './request-line.ts';

/** Responds to a request. A StatusError or StoreError that it throws becomes a Status. */
export type Handler = (context: RequestContext) => Promise<ApiResponse>;

/** The maximum number of requests in flight. 0 means no limit. */
export interface InFlightLimits {
  readonly reading: number;
  readonly mutating: number;
}

/** The ports of the filters. */
export interface FilterPorts {
  readonly clock: Clock;
  readonly authenticator: Authenticator;
  /** Whether proxies identify users with the header. Names are in lower case. */
  isIdentityHeader?(name: string): boolean;
  /** The cluster for which nodes sign assertions. Absent if nodes cannot authenticate. */
  readonly nodeRealm?: string;
  readonly authorizer: Authorizer;
  /** API Priority and Fairness. If absent, requests are never queued. */
  readonly flowControl?: FlowControl;
  /** The maximum number of concurrent requests if there is no flow control. */
  readonly inFlightLimits?: InFlightLimits;
  /** Limits the request rate of each identity. If absent, rates are not limited. */
  readonly identityRate?: IdentityRate;
  readonly metrics: RequestMetrics;
  readonly access: AccessMetrics;
  /** Absent without a policy. Requests are then not audited. */
  readonly audit?: AuditPorts;
  /** Absent if requests are not logged. */
  readonly requestLog?: RequestLog;
  /** Reports a fault to the operator that the client does not see. */
  reportFault(auditId: string, error: unknown): void;
}

/** Wraps a handler, like upstream's `http.Handler` decorators. */
export type Filter = (next: Handler, ports: FilterPorts) => Handler;
