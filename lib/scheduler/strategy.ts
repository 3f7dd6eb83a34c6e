import { scheduleOne } from './schedule-one.ts';
import type { Scheduling } from './scheduling.ts';

/** How a scheduler chooses nodes for the pods of its queue. */
export interface Strategy {
  /**
   * Pops pods that are ready and chooses their nodes. Returns the work that binds or requeues them, which never rejects; undefined if no
   * pod is ready.
   */
  next(scheduling: Scheduling): Promise<readonly Promise<void>[] | undefined>;
}

/** Schedules one pod at a time, like upstream. Each attempt starts after the last node of the previous one, so that all nodes are used. */
export class OneByOne implements Strategy {
  #nodeStart = 0;

  async next(scheduling: Scheduling): Promise<readonly Promise<void>[] | undefined> {
    const queued = scheduling.queue.pop();
    if (queued === undefined) return undefined;
    const { rest, nextStart } = await scheduleOne(scheduling, queued, this.#nodeStart);
    this.#nodeStart = nextStart;
    return [rest];
  }
}
