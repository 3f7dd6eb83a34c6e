import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import type { Authenticator } from '#lib/server/authentication/authenticator.ts';
import type { OpenIdMetadata } from '#lib/server/authentication/openid-metadata.ts';
import type { TokenIssuer } from '#lib/server/authentication/token-issuer.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { RuleResolver } from '#lib/server/authorization/rule-resolver.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import type { FlowControl } from '#lib/server/flowcontrol/flow-control.ts';
import type { IdentityRate } from '#lib/server/flowcontrol/identity-rate.ts';
import type { Admission } from '#lib/server/registry/admission.ts';
import type { BuiltInResources } from '#lib/server/registry/built-in.ts';
import type { CustomResources } from '#lib/server/registry/resources.ts';
import type { Aggregation } from './aggregation.ts';
import type { AuditPorts } from './audit/audit-ports.ts';
import type { InFlightLimits } from './filters/filter.ts';
import type { RequestLog } from './filters/request-line.ts';
import type { ListBounds } from './handlers/list-bounds.ts';
import type { WatchBounds } from './handlers/watch-bounds.ts';
import type { HealthCheck } from './health.ts';
import type { Route } from './non-resource.ts';

/** The ports and settings of the API server. */
export interface ApiserverPorts {
  readonly clock: Clock;
  readonly cluster: string;
  readonly admission: Admission;
  readonly builtIn: BuiltInResources;
  readonly custom: CustomResources;
  /** The group versions that other servers serve. Default none. */
  readonly aggregation?: Aggregation;
  readonly authenticator: Authenticator;
  /** The audiences of this server, used for a TokenReview without audiences. */
  readonly audiences?: readonly string[];
  /** Whether proxies identify users with the header. Names are in lower case. */
  isIdentityHeader?(name: string): boolean;
  /** The cluster for which nodes sign assertions. Absent if nodes cannot authenticate. */
  readonly nodeRealm?: string;
  /** The discovery document and keys of the service accounts' issuer. */
  readonly openIdMetadata?: OpenIdMetadata;
  readonly authorizer: Authorizer;
  /** Issues tokens of service accounts. If absent, TokenRequests fail. */
  readonly tokenIssuer?: TokenIssuer;
  /** API Priority and Fairness. If absent, requests are never queued. */
  readonly flowControl?: FlowControl;
  /** The maximum number of concurrent requests if there is no flow control. */
  readonly inFlightLimits?: InFlightLimits;
  /** Limits the request rate of each identity. If absent, rates are not limited. */
  readonly identityRate?: IdentityRate;
  /** Lists the rules that apply to a user. */
  readonly ruleResolver: RuleResolver;
  readonly serverAddress: string;
  /** Connects to kubelets, pods and endpoints. If absent, those requests fail with 503. */
  readonly backends?: Backends;
  /** Serves PodSecurityPolicies as an empty list, and rejects writes with a pointer to their replacement. */
  readonly legacyPsp?: boolean;
  /** Limits on the duration of watches. Default none. */
  readonly watches?: WatchBounds;
  /** Limits on the size of lists. Default none. */
  readonly lists?: ListBounds;
  readonly healthChecks: readonly HealthCheck[];
  /** Metrics on /metrics, in addition to those of requests. */
  readonly collectors: readonly Collector[];
  /** Additional handlers of non-resource paths. */
  readonly routes?: readonly Route[];
  /** Audit policy and log. If absent, requests are not audited. */
  readonly audit?: AuditPorts;
  /** The log of requests. If absent, requests are not logged. */
  readonly requestLog?: RequestLog;
  reportFault(auditId: string, error: unknown): void;
}
