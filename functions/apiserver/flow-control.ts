import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import type { InFlightLimits } from '#lib/server/endpoints/filters/filter.ts';
import { configurationSource } from '#lib/server/flowcontrol/configuration-source.ts';
import { FlowControl } from '#lib/server/flowcontrol/flow-control.ts';
import type { IdentityRate } from '#lib/server/flowcontrol/identity-rate.ts';
import { StoredStatsSampler } from '#lib/server/flowcontrol/request/stored-stats.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { Storages } from './storages.ts';

/** The settings of flow control. */
export interface FlowControlOptions {
  readonly clock: Clock;
  /**
   * The number of concurrent requests, either shared out by priority and fairness or as one limit for all requests. Default: no limit,
   * which is right for a process that serves one request at a time.
   */
  readonly flowControl?: { readonly concurrency: number } | { readonly inFlightLimits: InFlightLimits };
  /** Limits the rate of each identity over all processes. Default none. */
  readonly identityRate?: IdentityRate;
}

interface FlowControlParts {
  /** The options of flow control for the endpoints. */
  readonly bounds: { readonly flowControl?: FlowControl; readonly inFlightLimits?: InFlightLimits };
  readonly collectors: readonly Collector[];
}

/** Creates priority and fairness with the stored configuration, or plain limits. */
export function flowControls({ flowControl, clock }: FlowControlOptions, storages: Storages): FlowControlParts {
  if (flowControl === undefined || 'inFlightLimits' in flowControl)
    return { bounds: flowControl ?? {}, collectors: [] };
  const cluster = DEFAULT_CLUSTER;
  const { stats } = new StoredStatsSampler({ clock, cluster, opened: (stored) => storages.opened(stored) });
  const configuration = configurationSource(storages.of, cluster);
  const fair = new FlowControl({ clock, concurrency: flowControl.concurrency, configuration, stats });
  return { bounds: { flowControl: fair }, collectors: [fair] };
}
