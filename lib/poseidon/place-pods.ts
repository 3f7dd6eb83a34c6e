import type { QueuedPod } from '#lib/scheduler/backend/queue/queued-pod.ts';
import { CycleState } from '#lib/scheduler/framework/cycle-state.ts';
import type { Framework } from '#lib/scheduler/framework/runtime/framework.ts';
import { type Attempt, take } from '#lib/scheduler/schedule-one.ts';
import type { Scheduling } from '#lib/scheduler/scheduling.ts';
import { fitsOn } from './feasible-nodes.ts';
import type { PoseidonMetrics } from './metrics.ts';

/** A pod of a round and its node; undefined if the flow leaves the pod unscheduled. */
export interface Place {
  readonly queued: QueuedPod;
  readonly node: string | undefined;
}

/** The ports of `placePods`. */
export interface PlacePorts {
  readonly scheduling: Scheduling;
  readonly framework: Framework;
  readonly metrics: PoseidonMetrics;
  /** Receives the work that binds the pods. It never rejects. */
  readonly rest: Promise<void>[];
}

/**
 * Places each unit of pods that passes the filters on its nodes, all of the unit or none. A unit is a single pod or the members of a gang. A
 * unit that does not pass is tried again while others make progress. Returns the pods that have no node.
 */
export async function placePods(ports: PlacePorts, units: readonly (readonly Place[])[]): Promise<QueuedPod[]> {
  const { scheduling, metrics } = ports;
  let left = units;
  for (let isDone = false; !isDone; ) {
    const refused: (readonly Place[])[] = [];
    for (const unit of left) {
      if (scheduling.signal.aborted) return [];
      if (!(await placeUnit(ports, unit))) refused.push(unit);
      await scheduling.pause();
    }
    isDone = refused.length === left.length || refused.every((unit) => unit.some(({ node }) => node === undefined));
    left = refused;
  }
  for (const { node } of left.flat()) metrics.count(node === undefined ? 'unscheduled' : 'refused');
  return left.flatMap((unit) => unit.map(({ queued }) => queued));
}

/** Assumes the pods one after the other, so that each is checked with those before it, and binds them if all pass. */
async function placeUnit(
  { scheduling, framework, metrics, rest }: PlacePorts,
  unit: readonly Place[],
): Promise<boolean> {
  const { cache } = scheduling;
  const passed: { readonly attempt: Attempt; readonly node: string }[] = [];
  for (const { queued, node } of unit) {
    const attempt = node === undefined ? undefined : await attemptAt(scheduling, framework, { queued, node });
    if (attempt === undefined || node === undefined) {
      for (const { attempt: undone } of passed) cache.forget(undone.queued.podInfo.uid);
      return false;
    }
    if (unit.length > 1) cache.assume(queued.podInfo, node);
    passed.push({ attempt, node });
  }
  for (const { attempt, node } of passed) {
    metrics.count('placed');
    rest.push(take(scheduling, attempt, node));
  }
  return true;
}

/** The attempt of a pod that passes the filters on its node; undefined if it does not. */
async function attemptAt(
  scheduling: Scheduling,
  framework: Framework,
  { queued, node }: { readonly queued: QueuedPod; readonly node: string },
): Promise<Attempt | undefined> {
  scheduling.cache.takeSnapshot();
  try {
    const state = await fitsOn(framework, queued.podInfo, node);
    return state && attemptOf(scheduling, framework, queued, state);
  } catch {
    return undefined; // the next round's filters report the error
  }
}

/** An attempt that begins now. */
export const attemptOf = (
  { clock }: Scheduling,
  framework: Framework,
  queued: QueuedPod,
  state = new CycleState(),
): Attempt => ({ framework, queued, state, start: clock.monotonic() });
