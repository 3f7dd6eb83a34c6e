import type { DaemonSetStatus } from '#lib/api/types/apps.v1.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { isPodReady } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { defined } from '#lib/machinery/defined.ts';
import { generationOf } from '#lib/machinery/meta.ts';
import { unlessZero } from '../workload/unless-zero.ts';
import { byAge, isAvailableIn, isUpdated, type View } from './view.ts';

const COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
] as const;

/** The status that the set should have. Undefined if it is up to date. If a node has several pods, the oldest counts. */
export function statusFor(view: View, collisions: number | undefined): DaemonSetStatus | undefined {
  const { set } = view;
  const { status: held } = set;
  const counts = countsOf(view);
  const isRight =
    Number(held.observedGeneration ?? 0) >= generationOf(set) &&
    (held.collisionCount ?? 0) === (collisions ?? 0) &&
    COUNTS.every((field) => (held[field] ?? 0) === counts[field]);
  if (isRight) return undefined;
  const { updatedNumberScheduled, numberAvailable, numberUnavailable, ...kept } = counts;
  return {
    ...kept,
    observedGeneration: generationOf(set),
    ...defined({
      updatedNumberScheduled: unlessZero(updatedNumberScheduled),
      numberAvailable: unlessZero(numberAvailable),
      numberUnavailable: unlessZero(numberUnavailable),
      collisionCount: collisions,
      conditions: held.conditions,
    }),
  };
}

function countsOf(view: View): Record<(typeof COUNTS)[number], number> {
  const { byNode, placements } = view;
  const oldest = (node: string): Pod | undefined => byNode.get(node)?.toSorted(byAge)[0];
  const wanted = [...placements].filter(([, { shouldRun }]) => shouldRun).map(([node]) => node);
  const unwanted = [...placements].filter(([, { shouldRun }]) => !shouldRun).map(([node]) => node);
  const running = wanted.map(oldest).filter((pod) => pod !== undefined);
  const ready = running.filter(isPodReady);
  const available = ready.filter((pod) => isAvailableIn(view, pod)).length;
  return {
    currentNumberScheduled: running.length,
    numberMisscheduled: unwanted.filter((node) => byNode.has(node)).length,
    desiredNumberScheduled: wanted.length,
    numberReady: ready.length,
    updatedNumberScheduled: running.filter((pod) => isUpdated(view, pod)).length,
    numberAvailable: available,
    numberUnavailable: wanted.length - available,
  };
}
