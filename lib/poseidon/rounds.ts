import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import type { QueuedPod } from '#lib/scheduler/backend/queue/queued-pod.ts';
import { podInfoOf } from '#lib/scheduler/framework/pod-info-of.ts';
import type { Framework } from '#lib/scheduler/framework/runtime/framework.ts';
import { fail, isSkipped, scheduleOne } from '#lib/scheduler/schedule-one.ts';
import { type Scheduling, schedulerNameOf } from '#lib/scheduler/scheduling.ts';
import type { Strategy } from '#lib/scheduler/strategy.ts';
import type { CostModel } from './cost-model.ts';
import { gangOf } from './gangs.ts';
import type { PoseidonMetrics } from './metrics.ts';
import { attemptOf } from './place-pods.ts';
import { runRound, unschedulable } from './round.ts';

/** The maximum number of pods in a round. It limits the time of a solve. */
export const MAX_PODS = 10_000;

/** The settings of rounds. */
export interface RoundsOptions {
  readonly model: CostModel;
  readonly metrics: PoseidonMetrics;
}

/**
 * Schedules all waiting pods together, in rounds. Pods that a flow could not place are part of the next round, which takes the previous
 * placements into account. If a round places no pod, its pods are scheduled one at a time, so each of them is placed or rejected.
 */
export class Rounds implements Strategy {
  readonly #options: RoundsOptions;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  async next(scheduling: Scheduling): Promise<readonly Promise<void>[] | undefined> {
    const popped = popAll(scheduling);
    if (activateSiblings(scheduling, popped)) popped.push(...popAll(scheduling, MAX_PODS - popped.length));
    if (popped.length === 0) return undefined;
    const byFramework = Map.groupBy(popped, ({ podInfo }) => scheduling.frameworks.get(schedulerNameOf(podInfo.pod)));
    const rest: Promise<void>[] = [];
    for (const [framework, pods] of byFramework) {
      if (framework === undefined) for (const { podInfo } of pods) scheduling.queue.done(podInfo.uid);
      else rest.push(...(await this.#place(scheduling, framework, pods)));
    }
    return rest;
  }

  async #place(scheduling: Scheduling, framework: Framework, pods: readonly QueuedPod[]): Promise<Promise<void>[]> {
    const rest: Promise<void>[] = [];
    let left: readonly QueuedPod[] = pods.filter((queued) => {
      const skipped = isSkipped(scheduling, framework, queued);
      if (skipped) scheduling.queue.done(queued.podInfo.uid);
      return !skipped;
    });
    while (left.length > 0 && !scheduling.signal.aborted) {
      const round = await runRound({ scheduling, framework, ...this.#options }, left);
      rest.push(...round.rest);
      if (round.again.length === left.length) return [...rest, ...(await oneByOne(scheduling, framework, left))];
      left = round.again;
    }
    return rest;
  }
}

function popAll({ queue }: Scheduling, most = MAX_PODS): QueuedPod[] {
  const popped: QueuedPod[] = [];
  while (popped.length < most) {
    const next = queue.pop();
    if (next === undefined) break;
    popped.push(next);
  }
  return popped;
}

/** Activates the waiting members of the pods' gangs, so that a gang is complete in one round. Returns whether there may be any. */
function activateSiblings({ frameworks, queue }: Scheduling, popped: readonly QueuedPod[]): boolean {
  const gangs = new Set(popped.flatMap(({ podInfo }) => gangOf(podInfo) ?? []));
  if (gangs.size === 0) return false;
  const here = new Set(popped.map(({ podInfo }) => podInfo.uid));
  const [framework] = frameworks.values();
  for (const pod of framework?.handle.lister('pods').list() ?? []) {
    const info = podInfoOf(pod);
    if (gangs.has(gangOf(info) ?? '') && !here.has(info.uid) && nodeNameOf(pod) === '') queue.activate(pod);
  }
  return true;
}

/** Schedules pods one at a time. The members of a gang could then be placed without each other, so they are requeued instead. */
async function oneByOne(
  scheduling: Scheduling,
  framework: Framework,
  pods: readonly QueuedPod[],
): Promise<Promise<void>[]> {
  const rest: Promise<void>[] = [];
  for (const queued of pods) {
    if (scheduling.signal.aborted) break;
    const gang = gangOf(queued.podInfo);
    const failure = unschedulable(`pod group ${gang} found no nodes for its pods at once`);
    if (gang === undefined) rest.push((await scheduleOne(scheduling, queued, 0)).rest);
    else rest.push(fail(scheduling, attemptOf(scheduling, framework, queued), failure));
    await scheduling.pause();
  }
  return rest;
}
