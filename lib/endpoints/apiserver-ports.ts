import type { Admission } from '#lib/registry/admission.ts';
import type { Authenticator } from '#lib/authentication/authenticator.ts';
import type { OpenIdMetadata } from '#lib/authentication/openid-metadata.ts';
import type { TokenIssuer } from '#lib/authentication/token-issuer.ts';
import type { Authorizer } from '#lib/authorization/authorizer.ts';
import type { RuleResolver } from '#lib/authorization/rule-resolver.ts';
import type { Backends } from '#lib/channel/backends.ts';
import type { FlowControl } from '#lib/flowcontrol/flow-control.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector } from '#lib/metrics/family.ts';
import type { BuiltInResources } from '#lib/registry/built-in.ts';
import type { CustomResources } from '#lib/registry/resources.ts';
import type { AuditPorts } from './audit/audit-ports.ts';
import type { InFlightLimits } from './filters/filter.ts';
import type { RequestLog } from './filters/request-line.ts';
import type { WatchBounds } from './handlers/watch-bounds.ts';
import type { HealthCheck } from './health.ts';
import type { Route } from './non-resource.ts';

/** What the API server is made of. */
export interface ApiserverPorts {
  readonly clock: Clock;
  readonly cluster: string;
  readonly admission: Admission;
  readonly builtIn: BuiltInResources;
  readonly custom: CustomResources;
  readonly authenticator: Authenticator;
  /** The audiences of this server: what a token is reviewed for that names none. */
  readonly audiences?: readonly string[];
  /** Headers by which proxies tell who someone is; in lower case. */
  isIdentityHeader?(name: string): boolean;
  /** What service accounts' issuer publishes. */
  readonly openIdMetadata?: OpenIdMetadata;
  readonly authorizer: Authorizer;
  /** Makes tokens of service accounts; without one there are none. */
  readonly tokenIssuer?: TokenIssuer;
  /** Who waits for whom; without it nobody waits. */
  readonly flowControl?: FlowControl;
  /** How many requests may be under way, where nobody waits. */
  readonly inFlightLimits?: InFlightLimits;
  /** Lists what someone may do. */
  readonly ruleResolver: RuleResolver;
  readonly serverAddress: string;
  /** How kubelets, pods and endpoints are reached; without it they are not (503). */
  readonly backends?: Backends;
  /** Pod security policies are listed, and refused with what is in their place. */
  readonly legacyPsp?: boolean;
  /** What the front door grants to watches. Default as much as they ask for. */
  readonly watches?: WatchBounds;
  readonly healthChecks: readonly HealthCheck[];
  /** What /metrics tells beside the requests. */
  readonly collectors: readonly Collector[];
  /** What else is served at paths that are no resources. */
  readonly routes?: readonly Route[];
  /** What is written of requests, and where to; absent, nothing is. */
  readonly audit?: AuditPorts;
  /** Where requests are logged; absent, none is. */
  readonly requestLog?: RequestLog;
  reportFault(auditId: string, error: unknown): void;
}
