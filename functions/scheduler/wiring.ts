import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { schedulerConfiguration, type SchedulerConfiguration } from '#lib/scheduler/apis/config/configuration.ts';
import { Scheduler } from '#lib/scheduler/scheduler.ts';

export interface SchedulerParts {
  readonly client: Client;
  readonly clock: Clock;
  /** Numbers from 0 to below 1. */
  random(): number;
  /** Default upstream's. */
  readonly configuration?: SchedulerConfiguration | undefined;
  reportFault(error: unknown): void;
}

/** Acts as the scheduler through an API server in this process; the token stands for SCHEDULER_USER there. */
export const schedulerClient = ({ handle, token }: Pick<Apiserver, 'handle'> & { readonly token: string }): Client =>
  apiClient({ handle, token, userAgent: 'kube-scheduler' });

/** A scheduler that knows nothing yet. Throws ProfileError. */
export function buildScheduler({ configuration = schedulerConfiguration(), ...parts }: SchedulerParts): Scheduler {
  const { profiles, percentageOfNodesToScore, backoff } = configuration;
  return new Scheduler({ profiles, percentageOfNodesToScore, backoff, ...parts });
}

/**
 * Places all pods that wait, by what there is now, and ends: for who is called when something changed. Resolves with whether
 * nobody waits any more. When the signal aborts nothing more is begun.
 */
export async function scheduleAll(
  parts: SchedulerParts,
  signal: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const scheduler = buildScheduler(parts);
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  try {
    await scheduler.load();
    if (!signal.aborted) await Promise.race([scheduler.settle(), aborted]);
    return !signal.aborted && scheduler.waiting === 0;
  } finally {
    await scheduler.close();
  }
}
