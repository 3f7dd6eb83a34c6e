import type { Clock } from '#lib/machinery/clock.ts';
import { AccessMetrics } from '../metrics/access-metrics.ts';
import { RequestMetrics } from '../metrics/request-metrics.ts';
import type { FilterPorts } from './filter.ts';

/** The ports of filters that authenticate no user and allow everything. */
export const openPorts = (clock: Clock): FilterPorts => ({
  clock,
  authenticator: async () => undefined,
  authorizer: async () => ({ decision: 'allow', reason: '' }),
  metrics: new RequestMetrics(),
  access: new AccessMetrics(),
  reportFault: () => {},
});
