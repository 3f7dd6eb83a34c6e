import type { Pod } from '#lib/api/types/core.v1.ts';
import { phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { isPodReady } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import { groupPods } from './pods.ts';
import type { Samples } from './sample.ts';

/** The fractions by which usage may differ from its target without scaling. */
export interface Tolerances {
  readonly down: number;
  readonly up: number;
}

/** The scaled pods. */
export interface Workload {
  readonly replicas: number;
  /** All pods that the scale's selector selects. */
  readonly pods: readonly Pod[];
  readonly tolerances: Tolerances;
  /** The current time in ms since 1970. */
  readonly now: number;
}

/** The number of replicas that a metric proposes. */
export interface Proposal {
  readonly replicas: number;
  /** The average usage per pod, in thousandths. */
  readonly usage: number;
  /** The average usage as a percentage of the pods' requests. */
  readonly utilization?: number;
}

/** Whether the ratio of usage to its target is within the tolerances. */
export const isWithin = ({ down, up }: Tolerances, ratio: number): boolean => 1 - down <= ratio && ratio <= 1 + up;

const NO_PODS = 'no pods returned by selector while calculating replica count';

interface Measure {
  /** The ratio of all samples to the target, and the usage to report. Returns a message if it is not available. */
  of(samples: Samples): { readonly ratio: number; readonly proposal: Omit<Proposal, 'replicas'> } | string;
  /** The assumed usage of a pod without a sample when scaling down. */
  assumed(pod: string): number;
}

/** Proposes replicas for an average usage as a percentage of requests, in thousandths by pod. Returns a message if it is not available. */
export function forUtilization(
  work: Workload,
  samples: Samples,
  { target, requests, resource }: { target: number; requests: ReadonlyMap<string, number>; resource: string },
): Proposal | string {
  return propose(work, samples, resource, {
    of(held) {
      const known = [...held].filter(([pod]) => requests.has(pod));
      const used = known.reduce((sum, [, { value }]) => sum + value, 0);
      const asked = known.reduce((sum, [pod]) => sum + (requests.get(pod) ?? 0), 0);
      if (asked === 0) return 'no metrics returned matched known pods';
      const utilization = Math.trunc((used * 100) / asked);
      return { ratio: utilization / target, proposal: { utilization, usage: Math.trunc(used / known.length) } };
    },
    assumed: (pod) => Math.trunc(((requests.get(pod) ?? 0) * Math.max(100, target)) / 100),
  });
}

/** Proposes replicas for an average usage in thousandths. Returns a message if it is not available. */
export function forUsage(work: Workload, samples: Samples, target: number, resource: string): Proposal | string {
  return propose(work, samples, resource, {
    of(held) {
      const used = [...held.values()].reduce((sum, { value }) => sum + value, 0);
      const usage = Math.trunc(used / held.size);
      return { ratio: usage / target, proposal: { usage } };
    },
    assumed: () => target,
  });
}

/** Unready pods and pods without a sample are assumed to have the usage that dampens the change. */
function propose(work: Workload, samples: Samples, resource: string, measure: Measure): Proposal | string {
  if (work.pods.length === 0) return NO_PODS;
  const groups = groupPods(work.pods, samples, resource, work.now);
  const left = new Map([...samples].filter(([pod]) => !groups.ignored.has(pod) && !groups.unready.has(pod)));
  if (left.size === 0) return 'did not receive metrics for targeted pods (pods might be unready)';
  const measured = measure.of(left);
  if (typeof measured === 'string') return measured;
  const { ratio, proposal } = measured;
  const withUnready = groups.unready.size > 0 && ratio > 1;
  if (!withUnready && groups.missing.size === 0) {
    const replicas = isWithin(work.tolerances, ratio) ? work.replicas : Math.ceil(ratio * groups.ready);
    return { ...proposal, replicas };
  }
  const filled = new Map([...left].map(([pod, { value }]) => [pod, value]));
  if (ratio !== 1) for (const pod of groups.missing) filled.set(pod, ratio < 1 ? measure.assumed(pod) : 0);
  if (withUnready) for (const pod of groups.unready) filled.set(pod, 0);
  const again = measure.of(new Map([...filled].map(([pod, value]) => [pod, { value, time: 0, window: 0 }])));
  if (typeof again === 'string') return again;
  return { ...proposal, replicas: dampened(work, ratio, again.ratio, filled.size) };
}

function dampened({ tolerances, replicas }: Workload, ratio: number, now: number, pods: number): number {
  const isTurned = (ratio < 1 && now > 1) || (ratio > 1 && now < 1);
  if (isWithin(tolerances, now) || isTurned) return replicas;
  const wanted = Math.ceil(now * pods);
  return (now < 1 && wanted > replicas) || (now > 1 && wanted < replicas) ? replicas : wanted;
}

/** Proposes replicas for one value that all pods share, in thousandths. Returns a message if it is not available. */
export function forValue(work: Workload, value: number, target: number): Proposal | string {
  const ratio = value / target;
  if (work.replicas === 0) return { usage: value, replicas: Math.ceil(ratio) };
  if (isWithin(work.tolerances, ratio)) return { usage: value, replicas: work.replicas };
  if (work.pods.length === 0) return `unable to calculate ready pods: ${NO_PODS}`;
  const ready = work.pods.filter((pod) => phaseOf(pod) === 'Running' && isPodReady(pod)).length;
  return { usage: value, replicas: Math.min(Math.ceil(ratio * ready), MAX_INT32) };
}

/** Proposes replicas for a target value per pod, in thousandths. `replicas` is the number of existing ones. */
export function forShare(tolerances: Tolerances, replicas: number, value: number, target: number): Proposal {
  const usage = replicas === 0 ? 0 : Math.ceil(value / replicas);
  if (isWithin(tolerances, value / (target * replicas))) return { usage, replicas };
  return { usage, replicas: Math.min(Math.ceil(value / target), MAX_INT32) };
}
