import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf } from '#lib/machinery/meta.ts';
import { count } from '#lib/machinery/unstructured.ts';
import { isReady } from '../workload/pod.ts';
import { byAge, isAvailableIn, isUpdated, type View } from './view.ts';

/** Told also where they are 0. */
const KEPT = ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'];

/** The status that the set should have; undefined where it has it. Of several pods on a node the oldest counts. */
export function statusFor(view: View, collisions: number | undefined): JsonObject | undefined {
  const { set } = view;
  const held = objectAt(set, 'status');
  const counts = countsOf(view);
  const isRight =
    Number(count(held, 'observedGeneration')) >= generationOf(set) &&
    Number(count(held, 'collisionCount')) === (collisions ?? 0) &&
    Object.entries(counts).every(([field, number]) => Number(count(held, field)) === number);
  if (isRight) return undefined;
  const { conditions } = held ?? {};
  return {
    ...Object.fromEntries(Object.entries(counts).filter(([field, number]) => number > 0 || KEPT.includes(field))),
    observedGeneration: generationOf(set),
    ...(collisions === undefined ? {} : { collisionCount: collisions }),
    ...(conditions === undefined ? {} : { conditions }),
  };
}

function countsOf(view: View): Record<string, number> {
  const { byNode, placements } = view;
  const oldest = (node: string): JsonObject | undefined => byNode.get(node)?.toSorted(byAge)[0];
  const wanted = [...placements].filter(([, { shouldRun }]) => shouldRun).map(([node]) => node);
  const unwanted = [...placements].filter(([, { shouldRun }]) => !shouldRun).map(([node]) => node);
  const running = wanted.map(oldest).filter((pod) => pod !== undefined);
  const ready = running.filter(isReady);
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
