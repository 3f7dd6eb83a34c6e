import type { Pod } from '#lib/api/types/core.v1.ts';

/** The shutdown period for pods of a priority. */
export interface ShutdownGracePeriod {
  readonly priority: number;
  readonly shutdownGracePeriodSeconds: number;
}

/** The settings of graceful shutdown from the kubelet's configuration, in milliseconds. */
export interface ShutdownConfig {
  readonly shutdownGracePeriod: number;
  readonly shutdownGracePeriodCriticalPods: number;
  readonly shutdownGracePeriodByPodPriority: readonly ShutdownGracePeriod[];
}

/** The lowest priority of critical pods. */
const CRITICAL = 2_000_000_000;

/** The periods by ascending priority. Empty if graceful shutdown is not configured (upstream: newPodManager, migrateConfig). */
export function shutdownGracePeriods(config: ShutdownConfig): ShutdownGracePeriod[] {
  const { shutdownGracePeriod: all, shutdownGracePeriodCriticalPods: critical } = config;
  if (config.shutdownGracePeriodByPodPriority.length > 0)
    return config.shutdownGracePeriodByPodPriority.toSorted((a, b) => a.priority - b.priority);
  if (all === 0 || critical > all) return [];
  return [
    { priority: 0, shutdownGracePeriodSeconds: Math.trunc((all - critical) / 1000) },
    { priority: CRITICAL, shutdownGracePeriodSeconds: Math.trunc(critical / 1000) },
  ];
}

/** Pods that terminate together. */
export interface ShutdownGroup extends ShutdownGracePeriod {
  readonly pods: readonly Pod[];
}

/**
 * The pods in termination order. Each belongs to the last period at or below its priority, or else to the first one (upstream:
 * groupByPriority).
 */
export const groupByPriority = (periods: readonly ShutdownGracePeriod[], pods: readonly Pod[]): ShutdownGroup[] =>
  periods.map((period, index) => ({
    ...period,
    pods: pods.filter(({ spec }) => groupIndex(periods, spec.priority ?? 0) === index),
  }));

function groupIndex(periods: readonly ShutdownGracePeriod[], wanted: number): number {
  const index = periods.findIndex(({ priority }) => priority >= wanted);
  if (index < 0) return periods.length - 1;
  return index > 0 && (periods[index]?.priority ?? 0) > wanted ? index - 1 : index;
}
