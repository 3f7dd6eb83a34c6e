/** Work that can pause: it yields where it may, and returns what it makes. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Lets others through where they were kept waiting, and undefined where they were not; undefined itself where there are no others. */
export type Turn = (() => Promise<void> | undefined) | undefined;

/** The result without a pause. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The result; at each pause `turn` lets others through, where there are others. */
export async function inTurns<T>(steps: Steps<T>, turn: Turn): Promise<T> {
  if (turn === undefined) return finished(steps);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const pause = turn();
    if (pause !== undefined) await pause;
  }
}

/** Lets others through, then works. */
export async function afterTurn<T>(turn: Turn, work: () => T | Promise<T>): Promise<T> {
  const pause = turn?.();
  if (pause !== undefined) await pause;
  return work();
}

/** One step among several: done at once, or with pauses of its own. */
export type Step<T> = (subject: T) => Steps<void> | void;

/** Takes the steps in their order, with a pause after each. */
export function* inOrder<T>(given: readonly Step<T>[], subject: T): Steps<void> {
  for (const step of given) {
    const rest = step(subject);
    if (rest) yield* rest;
    yield;
  }
}
