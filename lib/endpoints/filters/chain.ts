import { audit, failedAudit } from './audit.ts';
import { authentication } from './authentication.ts';
import { authorization } from './authorization.ts';
import type { Filter, FilterPorts, Handler } from './filter.ts';
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
  requestLog, // sees every answer, also of what is refused before it is known who asks
  warnings, // also refusals carry their warnings and the audit id
  panicRecovery, // turns everything thrown behind it into a Status
  withRequestInfo, // authorization needs the verb and the resource
  failedAudit, // tells of what is refused before anyone is known
  requestDeadline, // a body that never comes holds nothing for longer than a minute
  authentication, // nobody unknown goes further
  audit, // tells who really asks, and of every refusal behind it
  impersonation, // who acts as someone else has that one's rights from here on
  maxInFlight, // in place of the next, where that is switched off
  priorityAndFairness, // who asks much waits, as the one who asks; also for the question whether he may
  authorization, // nobody without right; bodies are not read before this
];

/** The chain around the handler. */
export function buildChain(handler: Handler, ports: FilterPorts): Handler {
  return CHAIN.reduceRight<Handler>((next, filter) => filter(next, ports), handler);
}
