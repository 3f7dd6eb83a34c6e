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

/** The order in which a request passes: upstream's DefaultBuildHandlerChain. */
export const CHAIN: readonly Filter[] = [
  metrics, // outermost: counts and times the answer as the client gets it
  requestLog, // sees every answer, also those to requests that fail before authentication
  warnings, // also refusals carry their warnings and the audit id
  panicRecovery, // turns everything thrown behind it into a Status
  withRequestInfo, // authorization needs the verb and the resource
  failedAudit, // audits requests that fail before authentication
  requestDeadline, // a body that never comes holds nothing for longer than a minute
  authentication, // only authenticated users go further; the anonymous one may be among them
  audit, // audits the real user, and every rejection behind it
  identityRate, // counts who sends the request, whoever he acts as, before anything is read for it
  impersonation, // the impersonated user's rights apply from here on
  maxInFlight, // replaces the next filter if that is switched off
  priorityAndFairness, // queues the requests of busy users, before their authorization too
  authorization, // only authorized requests go further; bodies are not read before this
];

/** The chain around the handler. */
export function buildChain(handler: Handler, ports: FilterPorts): Handler {
  return CHAIN.reduceRight<Handler>((next, filter) => filter(next, ports), handler);
}
