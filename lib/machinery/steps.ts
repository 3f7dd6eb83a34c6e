/** Work that yields wherever it can pause, and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/**
 * Yields to other tasks that are waiting. Returns undefined if none are. The function itself is undefined if there are never other tasks.
 */
export type Turn = (() => Promise<void> | undefined) | undefined;

/** Runs the steps without pausing and returns the result. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs the steps and returns the result. At each pause, `turn` yields to other tasks. */
export async function inTurns<T>(steps: Steps<T>, turn: Turn): Promise<T> {
  if (turn === undefined) return finished(steps);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const pause = turn();
    if (pause !== undefined) await pause;
  }
}

/** Yields to other tasks, then works. */
export async function afterTurn<T>(turn: Turn, work: () => T | Promise<T>): Promise<T> {
  const pause = turn?.();
  if (pause !== undefined) await pause;
  return work();
}

/** One of several steps. It runs without a pause, or with pauses within it. */
export type Step<T> = (subject: T) => Steps<void> | void;

/** Runs the steps in order, with a pause after each. */
export function* inOrder<T>(given: readonly Step<T>[], subject: T): Steps<void> {
  for (const step of given) {
    const rest = step(subject);
    if (rest) yield* rest;
    yield;
  }
}
