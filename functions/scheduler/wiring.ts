import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { schedulerConfiguration, type SchedulerConfiguration } from '#lib/scheduler/apis/config/configuration.ts';
import { Scheduler } from '#lib/scheduler/scheduler.ts';

export interface SchedulerParts {
  /** Whom it asks. */
  readonly handle: Apiserver['handle'];
  /** Stands for SCHEDULER_USER there. */
  readonly token: string;
  readonly clock: Clock;
  /** Numbers from 0 to below 1. */
  random(): number;
  /** Default upstream's. */
  readonly configuration?: SchedulerConfiguration | undefined;
  reportFault(error: unknown): void;
}

/** A scheduler that acts through an API server in this process. It knows nothing yet. Throws ProfileError. */
export function buildScheduler({
  handle,
  token,
  configuration = schedulerConfiguration(),
  ...parts
}: SchedulerParts): Scheduler {
  const client = apiClient({ handle, token, userAgent: 'kube-scheduler' });
  const { profiles, percentageOfNodesToScore, backoff } = configuration;
  return new Scheduler({ client, profiles, percentageOfNodesToScore, backoff, ...parts });
}

/** Places all pods that wait, by what there is now, and ends: for who is called when something changed. */
export async function scheduleAll(parts: SchedulerParts): Promise<void> {
  const scheduler = buildScheduler(parts);
  try {
    await scheduler.load();
    await scheduler.settle();
  } finally {
    await scheduler.close();
  }
}
