import { audit, failedAudit } from './audit.ts';
import { authentication } from './authentication.ts';
import { authorization } from './authorization.ts';
import type { Filter, FilterPorts, Handler } from './filter.ts';
import { identityRate } from './identity-rate.ts';
import { impersonation } from './impersonation.ts';
import { maxInFlight } from './max-in-flight.ts';
import { metrics } from './metrics.ts';
import { panicRecovery } from './panic-recovery.ts';
import { priorityAndFairness } from './priority-and-fairness.ts';
import { requestDeadline } from './request-deadline.ts';
import { withRequestInfo } from './request-info.ts';
import { requestLog } from './request-log.ts';
import { warnings } from './warnings.ts';

/** The order in which a request passes the filters: upstream's DefaultBuildHandlerChain. */
export const CHAIN: readonly Filter[] = [
  metrics, // outermost: counts and times the response as the client receives it
  requestLog, // sees every response, including those of requests that fail before authentication
  warnings, // errors also carry their warnings and the audit id
  panicRecovery, // converts everything thrown by later filters to a Status
  withRequestInfo, // authorization needs the verb and the resource
  failedAudit, // audits requests that fail before authentication
  requestDeadline, // a body that never arrives occupies resources for at most a minute
  authentication, // only authenticated users pass, including the anonymous user if allowed
  audit, // audits the real user, and every later rejection
  identityRate, // counts the real sender, not the impersonated user, before any read for the request
  impersonation, // the impersonated user's rights apply to all later filters
  maxInFlight, // replaces the next filter if that is disabled
  priorityAndFairness, // queues the requests of busy users, even before their authorization
  authorization, // only authorized requests pass; bodies are not read before this
];

/** Wraps the handler in the chain of filters. */
export function buildChain(handler: Handler, ports: FilterPorts): Handler {
  return CHAIN.reduceRight<Handler>((next, filter) => filter(next, ports), handler);
}
