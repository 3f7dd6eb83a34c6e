/** A point of a shape: the score at a utilization in percent. */
export interface ShapePoint {
  readonly utilization: number;
  readonly score: number;
}

/** Creates an integer function that is linear between the points and constant beyond them. Upstream's BuildBrokenLinearFunction. */
export function brokenLinear(shape: readonly ShapePoint[]): (utilization: number) => number {
  return (utilization) => {
    const i = shape.findIndex((point) => utilization <= point.utilization);
    const [before, after] = [shape[i - 1], shape[i]];
    if (after === undefined) return shape.at(-1)?.score ?? 0;
    if (before === undefined) return after.score;
    const rise = (after.score - before.score) * (utilization - before.utilization);
    return before.score + Math.trunc(rise / (after.utilization - before.utilization));
  };
}
